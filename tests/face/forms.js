// The forms of a page, and what the browser would post for each: `forms.all()`, `forms.send(…)`.
(() => {
  const shown = e => e.checkVisibility({opacityProperty: true, visibilityProperty: true}) && e.getClientRects().length > 0;
  const seen = e => shown(e) || [...(e.labels ?? [])].some(shown);
  const address = (form, button) => new URL(button?.getAttribute('formaction')
    ?? form.getAttribute('hx-post') ?? form.getAttribute('action') ?? '', location.href);
  const method = (form, button) => form.hasAttribute('hx-post') ? 'post'
    : (button?.getAttribute('formmethod') ?? form.method).toLowerCase();
  // a form without an address belongs to a script, which asks by fetch
  const isSent = form => (form.hasAttribute('action') || form.hasAttribute('hx-post') || form.method === 'post')
    && form.method !== 'dialog';
  const buttons = form => [...form.elements].filter(e => e.type === 'submit' && (shown(e) || !shown(form)));
  const open = () => {
    document.querySelectorAll('details').forEach(e => { e.open = true; });
    document.querySelectorAll('[popover]').forEach(e => { e.removeAttribute('popover'); });
    document.querySelectorAll('dialog:not([open])').forEach(e => { e.setAttribute('open', ''); });
  };
  const words = {
    email: 'someone@example.org', url: 'https://example.org/', number: '2', password: 'a-long-password-nobody-uses',
    tel: '+49 30 1234567', date: '2030-05-17', time: '19:30', 'datetime-local': '2030-05-17T19:30', color: '#1f5a3a',
    text: 'Some words', search: 'hilde', textarea: 'Some words for a form.',
  };
  const fill = form => {
    for (const e of form.elements) {
      if (e.disabled || e.readOnly || !e.name || e.type === 'hidden') continue;
      if (e.type === 'checkbox') e.checked ||= e.required;
      else if (e.type === 'radio') {
        const group = [...form.elements].filter(each => each.name === e.name && each.type === 'radio');
        if (!group.some(each => each.checked)) (group.find(each => !each.disabled) ?? e).checked = true;
      } else if (e.tagName === 'SELECT') {
        if (!e.value) e.value = [...e.options].find(each => each.value && !each.disabled)?.value ?? '';
      } else if (words[e.type] && !e.value) {
        const word = e.type === 'number' && e.min ? e.min : words[e.type];
        e.value = e.maxLength > 0 ? word.slice(0, e.maxLength) : word;
      }
    }
  };
  const empty = form => {
    form.noValidate = true;
    for (const e of form.elements) {
      if (e.disabled || e.readOnly || !e.name || e.type === 'hidden') continue;
      if (e.type === 'checkbox' || e.type === 'radio') e.checked = false;
      else if (words[e.type]) e.value = '';
    }
  };
  return {
    all: () => {
      open();
      return [...document.forms].flatMap((form, n) => (isSent(form) ? (buttons(form).length ? buttons(form) : [null]) : [])
        .map((button, b) => ({
          n, b, method: method(form, button), path: address(form, button).pathname,
          names: [...new Set([...form.elements].map(e => e.name).filter(Boolean))].sort(),
          button: button?.name ?? '',
        })));
    },
    send: (n, b, how) => {
      const form = document.forms[n], button = buttons(form)[b] ?? null, invalid = [];
      let told = null;
      if (how === 'filled') fill(form);
      if (how === 'empty') empty(form);
      const note = event => invalid.push({name: event.target.name, seen: seen(event.target), said: event.target.validationMessage});
      const stop = event => {
        event.preventDefault();
        event.stopImmediatePropagation();
        const data = new FormData(form, event.submitter);
        told = {
          method: method(form, button), address: address(form, button).href, htmx: form.hasAttribute('hx-post'),
          pairs: [...data].filter(([, value]) => typeof value === 'string'),
        };
      };
      form.addEventListener('invalid', note, true);
      addEventListener('submit', stop, true);
      form.requestSubmit(button?.disabled ? null : button);
      form.removeEventListener('invalid', note, true);
      removeEventListener('submit', stop, true);
      return {told, invalid};
    },
    // what an answer says that the page did not say before, and its errors that nobody sees
    added: (before, after) => {
      const lines = html => new Set((new DOMParser().parseFromString(html, 'text/html').querySelector('main')?.innerText ?? '')
        .split('\n').map(line => line.trim()).filter(Boolean));
      const former = lines(before);
      return [...lines(after)].filter(line => !former.has(line));
    },
    unseen: () => [...document.querySelectorAll('.errorlist')].filter(e => e.textContent.trim()).filter(e => {
      const near = e.closest('.field, fieldset, td, li:not(.errorlist li), form') ?? e.parentElement;
      return !shown(e) || ![...near.querySelectorAll('input, select, textarea, button')].some(seen);
    }).map(e => e.textContent.trim()),
  };
})()
