import { fail } from '../errors.ts'
import { PROBLEM_MESSAGE } from './problem-page.ts'

/** Why the worker does not run, up to the reason, which the browser knows. */
const WORKER_PROBLEM = JSON.stringify(fail('VID_PREVIEW_WORKER', { reason: '' }))

/** Where the service worker is. */
export const WORKER_PATH = '/.vid/worker.js'

/**
 * The service worker of a composition's origin. Requests to other origins become requests to this server, which answers
 * them as a render does. A document is asked for with a header by which the server knows that this worker sees its
 * requests; without one, the server would leave the page to the open network.
 */
export const WORKER_SCRIPT = `'use strict';
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
const remote = async (request) => {
  if (request.method !== 'GET') return Response.error();
  const range = request.headers.get('range');
  const answer = await fetch('/.vid/remote?url=' + encodeURIComponent(request.url), range ? { headers: { range } } : {});
  const next = answer.headers.get('x-vid-redirect');
  if (next) return Response.redirect(next, 302);
  if (answer.status === 502) return Response.error();
  const { status } = answer;
  const headers = new Headers(answer.headers);
  // It keeps other sites from the reply of the server; the page may use the file.
  headers.delete('cross-origin-resource-policy');
  // A new reply has no address of its own: relative addresses in it count from the one that was asked for.
  return new Response(answer.body, { status, headers });
};
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, protocol } = new URL(request.url);
  if (!/^https?:$/.test(protocol)) return;
  if (origin !== location.origin) event.respondWith(remote(request));
  else if (request.mode === 'navigate' && request.method === 'GET')
    event.respondWith(fetch(request.url, { headers: { 'x-vid-worker': '1' }, referrer: request.referrer, redirect: 'manual' }));
});
`

/**
 * The beginning of a document that starts the service worker, and then loads its own address again: this time the worker
 * asks for it. The document never ends by itself, so that nobody takes it for the composition.
 */
export const STARTING_PAGE = `<!doctype html><meta charset="utf-8"><title>Preview</title>
<script>
(async () => {
  const fail = (reason) => parent.postMessage(
    { type: '${PROBLEM_MESSAGE}', problem: { ...${WORKER_PROBLEM}, message: ${WORKER_PROBLEM}.message + reason } },
    '*',
  )
  try {
    const { tries = 0 } = history.state ?? {}
    if (tries > 2) return fail('it does not see the page')
    history.replaceState({ tries: tries + 1 }, '')
    await navigator.serviceWorker.register('${WORKER_PATH}', { scope: '/', updateViaCache: 'none' })
    await navigator.serviceWorker.ready
    location.reload()
  } catch (thrown) {
    fail(thrown)
  }
})()
</script>
`
