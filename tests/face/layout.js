// Text that its own box hides, a page wider than its screen, words wider than their button, and controls
// that lie on each other. What is meant for ears alone, and what may be scrolled, is not cut off.
() => {
  const found = [];
  const name = e => `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ''}.${[...e.classList].join('.')}`
    + ` "${(e.innerText ?? e.textContent).trim().slice(0, 40)}"`;
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) found.push(`the page is ${wide} px too wide`);
  const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true})
    && !e.closest('.visually-hidden, [inert], .skip, svg');
  const scrolls = e => {
    for (let box = e; box; box = box.parentElement) {
      const style = getComputedStyle(box);
      if (/auto|scroll/.test(style.overflowX + style.overflowY) && box !== document.body) return true;
    }
    return false;
  };
  const texts = [...document.body.querySelectorAll('*')].filter(e => shown(e)
    && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  for (const e of texts) {
    const style = getComputedStyle(e);
    const hides = /hidden|clip/.test(style.overflowX) && e.clientWidth > 1; // one pixel is for ears
    if (hides && e.scrollWidth > e.clientWidth + 1) found.push(`cut off: ${name(e)}`);
    if (!hides && /^(TH|TD|DT|DD|H\d|P|LI|LABEL|BUTTON)$/.test(e.tagName) && e.clientWidth && e.scrollWidth > e.clientWidth + 1)
      found.push(`spills out of its box: ${name(e)}`);
    const box = e.getBoundingClientRect();
    if (box.width && (box.right > innerWidth + 1 || box.left < -1) && !scrolls(e))
      found.push(`off the screen: ${name(e)}`);
  }
  // what hangs out of its card: text by its letters, for a box may be wider than what it shows
  const cards = new Map();
  const cardOf = e => {
    if (!e || e === document.body) return null;
    if (!cards.has(e)) {
      const style = getComputedStyle(e);
      const edged = parseFloat(style.borderLeftWidth) > 0 && parseFloat(style.borderRightWidth) > 0;
      const filled = !/^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor);
      cards.set(e, (edged || filled) && style.display !== 'inline' ? e : cardOf(e.parentElement));
    }
    return cards.get(e);
  };
  const scrollsIn = (e, card) => {
    for (let box = e; box && box !== card; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible') return true;
    return false;
  };
  const ink = document.createRange();
  const inkOf = e => [...e.childNodes].filter(n => n.nodeType === 3).flatMap(n => {
    ink.selectNodeContents(n);
    return [...ink.getClientRects()];
  });
  const drawn = [...document.querySelectorAll('main :is(img, svg, input, select, textarea, button)')]
    .filter(e => !texts.includes(e) && e.checkVisibility() && !e.closest('.visually-hidden, [inert]') && !e.parentElement.closest('svg'));
  for (const e of [...texts, ...drawn]) {
    if (/absolute|fixed/.test(getComputedStyle(e).position)) continue;
    const isText = texts.includes(e);
    const card = cardOf(isText ? e : e.parentElement);
    if (!card || scrollsIn(e, card) || /auto|scroll/.test(getComputedStyle(card).overflowX)) continue;
    const box = card.getBoundingClientRect();
    const parts = (isText ? inkOf(e) : [e.getBoundingClientRect()]).filter(r => r.width > 1);
    const over = Math.max(0, ...parts.map(r => Math.max(r.right - box.right, box.left - r.left)));
    if (over > 1.5) found.push(`hangs ${Math.round(over)} px out of ${name(card).split(' "')[0]}: ${name(e)}`);
  }
  // a word that is broken where no hyphen stands, and an option that its list cuts off
  const range = document.createRange();
  for (const e of texts) {
    if (e.closest('.player-name, code, .invite-link, [class*=link], input, textarea, select, h1')) continue;
    for (const node of e.childNodes) {
      if (node.nodeType !== 3 || getComputedStyle(e).hyphens === 'auto') continue;
      for (const word of node.data.matchAll(/[\p{L}\d.,]{2,18}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter(r => r.width > 0).map(r => Math.round(r.top)));
        if (lines.size > 1) found.push(`broken word "${word[0]}": ${name(e)}`);
      }
    }
  }
  for (const list of document.querySelectorAll('select')) {
    if (!shown(list)) continue;
    const style = getComputedStyle(list);
    const pen = document.createElement('canvas').getContext('2d');
    pen.font = style.font;
    const words = list.selectedOptions[0]?.text ?? '';
    const room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (pen.measureText(words).width > room + 1) found.push(`the list cuts off "${words}": ${name(list)}`);
  }
  // on a phone, tables of the desk are stacked
  for (const table of innerWidth < 560 ? document.querySelectorAll('.desk .scroll:not(.desk-events)') : []) {
    const over = table.scrollWidth - table.clientWidth;
    if (shown(table) && over > 1) found.push(`a table scrolls ${over} px sideways: ${name(table)}`);
  }
  // what unfolds shows it, by an icon or by a mark
  for (const e of document.querySelectorAll('summary')) {
    const marks = ['::before', '::after'].map(part => getComputedStyle(e, part));
    if (shown(e) && !e.querySelector('svg') && !marks.some(mark => mark.content !== 'none' && mark.display !== 'none'))
      found.push(`unfolds without a mark: ${name(e)}`);
  }
  const open = document.querySelector('dialog[open]');
  const controls = [...(open ?? document).querySelectorAll('a, button, input, select, summary, textarea')]
    .filter(e => shown(e) && !e.closest('label') && e.type !== 'hidden');
  // what of a box is to be seen: the rest of it may lie under the edge of what can be scrolled
  const seen = e => {
    const clips = [];
    for (let box = e.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowY !== 'visible') clips.push(box.getBoundingClientRect());
    }
    return [...e.getClientRects()].map(r => clips.reduce((a, b) => ({
      left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
      top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
    }), r));
  };
  const boxes = controls.map(e => [e, seen(e)]);
  for (const [e] of boxes) {
    if (e.matches('button, .button') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth)
      found.push(`the words are wider than their button: ${name(e)}`);
  }
  const layered = e => e.closest('.menu-panel, dialog, .cover, .side, .notices, .band, .rules-rail, .decision-tray');
  for (let i = 0; i < boxes.length; i += 1) {
    for (let j = i + 1; j < boxes.length; j += 1) {
      const [a, b] = [boxes[i][0], boxes[j][0]];
      if (a.contains(b) || b.contains(a) || layered(a) !== layered(b)) continue;
      const over = boxes[i][1].some(p => boxes[j][1].some(q =>
        Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2
        && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 2));
      if (over) found.push(`${name(a)} lies on ${name(b)}`);
    }
  }
  return found;
}
