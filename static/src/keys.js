// Keys that work on every page (portal X17): g and a letter goes somewhere,
// "/" searches, "?" tells the keys.
const places = { h: '/', d: '/declare', a: '/apps', s: '/submissions', i: '/items', q: '/queue', c: '/catalogue' };

let waiting = 0; // until when, in milliseconds, a letter completes a "g"

// deaf tells whether a single key belongs to what is being typed.
export function deaf(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (document.documentElement.dataset.keys === 'off') return true;
  return Boolean(
    event.target.closest?.('textarea, select, dialog, [contenteditable], input:not([type=checkbox], [type=radio])'),
  );
}

const acts = {
  g: () => (waiting = Date.now() + 1500),
  '/': () => document.querySelector('main input[type=search]')?.focus(),
  '?': showKeys,
};

document.addEventListener(
  'keydown',
  (event) => {
    if (deaf(event)) return;
    if (Date.now() < waiting) {
      waiting = 0;
      const place = places[event.key];
      if (place) return take(event, () => location.assign(place));
    }
    if (Object.hasOwn(acts, event.key)) take(event, acts[event.key]);
  },
  { capture: true },
);

function take(event, act) {
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}

function showKeys() {
  const dialog = document.getElementById('keys-help');
  if (!dialog) return;
  const here = document.querySelector('main .keys');
  dialog.querySelector('[data-page-keys]').replaceChildren(...(here?.cloneNode(true).childNodes ?? []));
  dialog.showModal();
}
