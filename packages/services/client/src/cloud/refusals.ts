import { type Fault, printable, VidError } from '@vid/protocol'
import { type CloudErrorCode, type CloudErrorReply, CloudErrorSchema } from '../contract/index.ts'
import { fail } from '../errors.ts'
import type { RefusalFacts, ServerErrors } from '../http/exchange.ts'
import { badReply, parseReply } from '../http/replies.ts'

const CODE = /^[A-Za-z][A-Za-z0-9_]{1,99}$/
const MAX_TEXT = 4000
const TIMEOUT = 408
const FULL = 429

const hints: Readonly<Record<CloudErrorCode, string>> = {
  invalid_parameter: 'correct the value, or leave it out',
  vid_project_invalid: 'correct the project or its variables; "vid lint" and "vid render" say more on this machine',
  vid_project_too_large: 'leave out what the video does not need, with lines in .vidignore',
  unauthorized: 'sign in with "vid auth login", or set HOST_API_KEY to a valid key',
  forbidden: 'use a credential of an account that may do this',
  not_found: 'check HOST_API_URL, and that the server is of this version',
  asset_not_found: 'upload the project again; uploads are removed after a time',
  vid_render_not_found: '"vid cloud list" shows the renders of this account',
  idempotency_conflict: 'give another --idempotency-key, or leave it out: this one belongs to another request',
  request_in_progress: 'the same request is still being taken; try again in a while',
  rate_limit_exceeded: 'wait as long as the server asks, or raise the limit of the account',
  internal_error: 'try again later; if it stays, ask who runs the server',
  unavailable: 'try again later',
}

const hintOf = (code: string, status: number): string => {
  if (Object.hasOwn(hints, code)) return hints[code as CloudErrorCode]
  return status >= 500 ? hints.internal_error : ''
}

/** Statuses after which the same request may succeed. */
const isPassing = (status: number): boolean => status === FULL || status === TIMEOUT || status >= 500

const faultOf = (status: number, mayPass: boolean): Fault => (mayPass || status >= 500 ? 'machine' : 'caller')

/** An untrusted text as a printable line. */
export const shownText = (text: string): string => printable(text.slice(0, MAX_TEXT))

/** Errors of the client of the hosted API; a server's error keeps its code, text and `facts.param`. */
export const cloudClientErrors: ServerErrors = {
  prefix: 'VID_API',
  fail: (name, facts, origin) => fail(`VID_API_${name}`, facts as never, origin),
  isPassing,
  read(text, { status, retryAfterMs }, server) {
    const { error } = parseReply<CloudErrorReply>(CloudErrorSchema, text, server)
    const { code, param, doc_url: docUrl } = error
    if (!CODE.test(code)) return badReply(server, 'the code of an error is none')
    const shorten = (text: string) => shownText(server.clean(text))
    const mayPass = isPassing(status) || code === ('request_in_progress' satisfies CloudErrorCode)
    const detail = shorten(error.message)
    const message = param === null || detail.includes(param) ? detail : `${detail} (${shorten(param)})`
    const hint = [hintOf(code, status), docUrl === null ? '' : `see ${shorten(docUrl)}`].filter(Boolean).join('; ')
    const facts: RefusalFacts & { readonly param: string | null } = { status, retryAfterMs, mayPass, param }
    return new VidError(code, { message, hint, fault: faultOf(status, mayPass) }, facts)
  },
}
