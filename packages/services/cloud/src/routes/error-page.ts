import type { CloudErrorCode } from '@vid/client/contract'
import { apiErrors } from './api-errors.ts'

/** What each code means, and what a client can do. */
const meanings: Readonly<Record<CloudErrorCode, readonly [meaning: string, advice: string]>> = {
  invalid_parameter: [
    'The request is invalid: <code>param</code> names the value.',
    'Correct it. The same request fails again.',
  ],
  vid_project_invalid: [
    'The project, or a variable of it, cannot be rendered, or its zip cannot be read.',
    'Correct the project or the variables that the message names.',
  ],
  vid_project_too_large: [
    'The zip, or what it unpacks to, is larger than the account may send.',
    'Leave out what the composition does not use.',
  ],
  unauthorized: [
    'The request carries no credential, or one that was revoked or has expired.',
    'Send a key as <code>x-api-key</code>, or refresh the access token and send the request once more.',
  ],
  forbidden: [
    'The request is refused: the address of the file has expired, the quota is used up, or the request came from a page of another origin.',
    'The message says which. For a file, request the render again: each reply has a newly signed address.',
  ],
  not_found: ['There is nothing at this address.', 'Check the path and the id.'],
  asset_not_found: [
    'There is no such asset in this account.',
    'Upload the project again: assets that are not used for long are removed.',
  ],
  vid_render_not_found: [
    'There is no such render in this account, or it was deleted.',
    'Check the id and the credential.',
  ],
  idempotency_conflict: [
    'The <code>Idempotency-Key</code> was used with another body in the last 24 hours.',
    'Use a new key for new work.',
  ],
  request_in_progress: [
    'A request with the same <code>Idempotency-Key</code> is being answered.',
    'Send the same request again after <code>Retry-After</code>: it gets the reply of the first one.',
  ],
  rate_limit_exceeded: [
    'Too many requests, open renders or unfinished uploads.',
    'Wait for the time in <code>Retry-After</code>.',
  ],
  internal_error: [
    'The server failed.',
    'Try again with the same <code>Idempotency-Key</code>. The operator finds the reason by the <code>x-request-id</code> of the reply.',
  ],
  unavailable: [
    'The server is stopping, or something that it needs is unavailable.',
    'Try again in a while with the same <code>Idempotency-Key</code>.',
  ],
}

const statusesOf = (code: string): string =>
  [...new Set([...apiErrors.values()].filter((apiError) => apiError.code === code).map(({ status }) => status))]
    .sort()
    .join(', ')

/** The page about the API's errors, the target of their `doc_url`. */
export const errorPage = (): string => {
  const sections = Object.entries(meanings).map(
    ([code, [meaning, advice]]) =>
      `<section id="${code}"><h2><code>${code}</code></h2><p>Status ${statusesOf(code)}. ${meaning} ${advice}</p></section>`,
  )
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    '<title>Errors of the API</title><h1>Errors of the API</h1>',
    '<p>Each error is <code>{"error": {"code", "message", "param", "doc_url"}}</code>.</p>',
    ...sections,
    '</html>',
  ].join('\n')
}
