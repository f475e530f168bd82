// Toasts and spoken sentences, for what the server could not say itself.

// say puts a sentence into the live region, where screen readers pick it up.
export function say(text) {
  const live = document.getElementById('live');
  if (live) live.textContent = text;
}

// toast shows a sentence with optional links and buttons until it is dismissed.
export function toast(text, ...actions) {
  const box = element('div', { className: 'toast tone-bad' });
  const body = element('div');
  body.append(element('p', { textContent: text }));
  if (actions.length) {
    const row = element('p', { className: 'row' });
    row.append(...actions);
    body.append(row);
  }
  const close = element('button', { type: 'button', className: 'btn btn-quiet btn-small', textContent: 'Dismiss' });
  close.dataset.dismiss = '';
  box.append(body, close);
  document.getElementById('flash')?.append(box);
  say(text);
}

// element makes an element with these properties.
export function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-dismiss]')) event.target.closest('.toast, .banner')?.remove();
});

// Good news leaves by itself, bad news stays until it is dismissed.
const flash = document.getElementById('flash');
function leaveLater() {
  for (const good of flash.querySelectorAll('.toast.tone-ok:not([data-leaving])')) {
    good.dataset.leaving = '';
    setTimeout(() => good.matches(':hover, :focus-within') || good.remove(), 8000);
  }
}
if (flash) {
  leaveLater();
  new MutationObserver(leaveLater).observe(flash, { childList: true });
}
