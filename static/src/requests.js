// What happens around every htmx request: busy marks, focus, failures.
import { element, say, toast } from './notices.js';

let contact = new Date(); // when the server was last heard
let pressed = null; // the element with focus when the last request began

const on = (name, act) => document.addEventListener(`htmx:${name}`, act);

on('configRequest', ({ detail, target }) => {
  if (!target.closest('[data-filters]')) return;
  for (const [name, value] of [...detail.formData.entries()]) {
    if (value === '') detail.formData.delete(name);
  }
});

// The same address twice would make Back lead to where one is (portal X1), and
// a word is typed in one step, whatever the pauses.
on('beforeHistoryUpdate', ({ detail: { history, requestConfig } }) => {
  const typing = requestConfig?.triggeringEvent?.type === 'input' && new URLSearchParams(location.search).has('q');
  if (typing || history.path === location.pathname + location.search) history.type = 'replace';
});

on('beforeRequest', ({ detail }) => {
  pressed = document.activeElement;
  detail.target?.setAttribute('aria-busy', 'true');
});

on('afterRequest', ({ detail }) => {
  detail.target?.removeAttribute('aria-busy');
  delete detail.elt.dataset.sent;
  if (detail.xhr.status) heard();
  if (detail.xhr.status >= 200 && detail.xhr.status < 300) detail.elt.closest('dialog[open]')?.close();
});

// Focus after a swap: what asks for it, else what had it, else the nearest
// heading; never the body (portal X10). htmx itself finds the same id.
on('afterSettle', ({ target, detail }) => {
  for (const dialog of within(target, 'dialog[data-open]')) dialog.open || dialog.showModal();
  countFilters();
  const wanted = within(target, '[data-focus]')[0];
  if (wanted) return focusOn(wanted);
  const mine = pressed && pressed !== document.body && detail.requestConfig;
  if (!mine || (document.activeElement && document.activeElement !== document.body)) return;
  focusOn(document.getElementById(pressed.id) ?? heading(target));
});

on('responseError', ({ detail }) => {
  const { status } = detail.xhr;
  if (status === 401) return signedOut();
  const request = detail.xhr.getResponseHeader('X-Request-Id');
  if (status < 500) return toast(sentence(detail.xhr.responseText) ?? 'The portal refused this.');
  const about = request ? ` Request ${request}.` : '';
  toast(`Something went wrong on our side.${about} What you typed is still here.`, retry(detail));
});

on('sendError', () => lost());
on('timeout', () => lost());
window.addEventListener('offline', lost);
window.addEventListener('online', heard);

// The fold of the filters tells how many hold, as the list below names them.
function countFilters() {
  const count = document.querySelector('[data-filter-count]');
  const holding = document.querySelectorAll('#list .chip[data-holds]').length;
  if (count) count.textContent = holding ? `(${holding})` : '';
}

function within(root, selector) {
  return [...(root.matches?.(selector) ? [root] : []), ...root.querySelectorAll(selector)];
}

function heading(root) {
  const place = root.closest('section, article, main, dialog') ?? document.getElementById('main');
  return within(root, 'h1, h2, h3')[0] ?? place?.querySelector('h1, h2, h3') ?? document.getElementById('main');
}

function focusOn(place) {
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: place.matches('h1, h2, h3, main') });
}

function signedOut() {
  const here = encodeURIComponent(location.pathname + location.search);
  const link = element('a', { href: `/sign-in?next=${here}`, target: '_blank', className: 'link', textContent: 'Sign in again' });
  toast('Signed out: sign in again. What you typed is still here.', link);
}

// The server answers a refusal with a fragment that holds one whole sentence.
function sentence(html) {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return page.querySelector('[data-sentence]')?.textContent.trim();
}

function retry({ elt, requestConfig }) {
  const button = element('button', { type: 'button', className: 'btn btn-small', textContent: 'Retry' });
  const { submitter, type } = requestConfig.triggeringEvent ?? {};
  button.addEventListener('click', () => {
    button.closest('.toast').remove();
    if (elt.matches('form')) elt.requestSubmit(submitter);
    else window.htmx.trigger(elt, type ?? 'click');
  });
  return button;
}

function heard() {
  contact = new Date();
  const banner = document.getElementById('offline');
  if (banner) banner.hidden = true;
}

function lost() {
  const banner = document.getElementById('offline');
  if (!banner?.hidden) return;
  banner.querySelector('time').textContent = contact.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  banner.hidden = false;
  say(banner.textContent);
}
