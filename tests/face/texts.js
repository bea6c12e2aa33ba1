// Every text that is shown or read out, without names (of countries, too), code, talk, and what says its own language.
() => {
  const left = '[lang]:not(html), code, pre, script, style, .player-name, .talk, .said, textarea, [class*=talk-line], #set-country';
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.data.replace(/\s+/g, ' ').trim();
    if (text && !node.parentElement.closest(left)) found.add(text);
  }
  for (const e of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
    if (!e.closest(left)) for (const name of ['aria-label', 'title', 'placeholder']) {
      if (e.getAttribute(name)) found.add(e.getAttribute(name));
    }
  }
  return [...found];
}
