// The declaration form: Submit waits for the names of what is deleted, opened
// changes stay open over a new preview, Ctrl-Enter previews (portal DEC4, DEC6).
const form = () => document.querySelector('form[data-declare]');

// Names are compared exactly; the server does so again.
function confirmed(on) {
  return [...on.querySelectorAll('[data-expect]')].every((field) => field.value === field.dataset.expect);
}

function judge(on) {
  const submit = on.querySelector('#submit[data-confirms]');
  if (!submit) return;
  const done = confirmed(on);
  submit.setAttribute('aria-disabled', !done);
  on.querySelector('#submit-why').textContent = done ? '' : 'Type what is deleted first, exactly as it is written.';
}

document.addEventListener('input', ({ target }) => {
  if (target.matches('[data-declare] [data-expect]')) judge(form());
});

document.addEventListener(
  'click',
  (event) => {
    if (!event.target.closest('[data-declare] button[aria-disabled="true"]')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

let wanted = false; // Submit gets the focus once the preview is there

// Enter in a field of one line would leave the page for a preview: it makes one here.
document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (key !== 'Enter' || event.ctrlKey || event.metaKey || !target.matches?.('[data-declare] input.input')) return;
  event.preventDefault();
  window.htmx.trigger(form().querySelector('textarea[name=declaration]'), 'preview');
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !event.target.closest?.('[data-declare]')) return;
  event.preventDefault();
  wanted = true;
  window.htmx.trigger(form().querySelector('textarea[name=declaration]'), 'preview');
});

let open = []; // ids of the changes that are unfolded

document.addEventListener('htmx:beforeSwap', ({ target }) => {
  if (target.id === 'preview-body') open = [...target.querySelectorAll('details[open]')].map((row) => row.id);
});

document.addEventListener('htmx:afterSettle', ({ target }) => {
  if (!form() || !(target.id === 'preview-body' || target.closest?.('#preview-body, #confirm'))) return;
  for (const id of open) {
    const row = document.getElementById(id);
    if (row) row.open = true;
  }
  judge(form());
  if (wanted) form().querySelector('#submit').focus();
  wanted = false;
});
