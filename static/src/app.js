// The portal's one script: htmx, times that read as ages, and our own small
// enhancements. Every page does its main task without it.
import htmx from 'htmx.org';
import { Idiomorph } from 'idiomorph/dist/idiomorph.esm.js';
import '@github/relative-time-element';
import './controls.js';
import './declare.js';
import './keys.js';
import './requests.js';
import './selection.js';
import './triage-list.js';

window.htmx = htmx;

// hx-swap="morph" keeps what did not change: open details, focus, scrolling.
htmx.defineExtension('morph', {
  isInlineSwap: (style) => style === 'morph',
  handleSwap(style, target, fragment) {
    if (style !== 'morph') return false;
    return Idiomorph.morph(target, fragment.children, { morphStyle: 'outerHTML' });
  },
});
