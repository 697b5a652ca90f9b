import { defineErrors, type ErrorTable } from '@vid/protocol'
import { ALLOW_SANDBOX, type Blocked, blockedText, lackText, remedyText, where } from './capture-phrases.ts'
import type { Repetition } from './repetition.ts'
import type { Shortage } from './shortage.ts'

/** An exception of a script, with its location. */
export interface ScriptError {
  readonly message: string
  readonly source: string | undefined
  readonly line: number | undefined
}

const MAX_LISTED = 3

const listed = (errors: readonly ScriptError[]): string => {
  const shown = errors.slice(0, MAX_LISTED).map((error) => `${error.message}${where(error)}`)
  const rest = errors.length - shown.length
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(' | ')
}

/** Errors from a browser's launch to its last frame; the codes are stable. */
export const captureErrors = {
  VID_BROWSER_LAUNCH: (f: { executable: string; detail: string }) => ({
    message: `The browser ${f.executable} did not start: ${f.detail}.`,
    hint: 'Run it with --version in a terminal: it names the missing libraries. Set VID_BROWSER_PATH to use another browser.',
    fault: 'machine',
  }),
  VID_BROWSER_CRASHED: (f: { code: number | null; signal: string | null; stderr: string; shortage: Shortage }) => ({
    message: `The browser ended while it was capturing (${f.signal ?? `exit code ${f.code}`})${lackText(f.shortage)}${f.stderr === '' ? '' : `; its last output: ${f.stderr}`}.`,
    hint: remedyText(f.shortage),
    fault: 'machine',
  }),
  VID_BROWSER_PROTOCOL: (f: { method: string; detail: string }) => ({
    message: `The browser refused ${f.method}: ${f.detail}.`,
    hint: 'This browser may be too old or built without that feature; try the embedded one (unset VID_BROWSER_PATH).',
    fault: 'machine',
  }),
  VID_BROWSER_UNGUARDED: (f: { executable: string; through: string }) => ({
    message: `The browser ${f.executable} lets pages bypass the egress proxy: ${f.through}.`,
    hint: 'A page could then reach private addresses, so nothing is captured with it; use another build or version, or browser "chromium".',
    final: true,
    fault: 'machine',
  }),
  VID_SANDBOX_MODE: (f: { value: string; known: readonly string[] }) => ({
    message: `VID_SANDBOX is "${f.value}"; known: ${f.known.join(', ')}.`,
    hint: 'Set one of these, or unset it.',
    fault: 'caller',
  }),
  VID_SANDBOX_MISSING: (f: { reason: string }) => ({
    message: `Sandbox "require" is set, but the browser's sandbox does not work here: ${f.reason}.`,
    hint: `${ALLOW_SANDBOX} Sandbox "auto" renders without it.`,
    final: true,
    fault: 'machine',
  }),
  VID_BROWSER_GPU_UNAVAILABLE: (f: { tried: readonly { backend: string; reason: string }[] }) => ({
    message: `No GPU of this machine can draw pages (${f.tried.map(({ backend, reason }) => `${backend}: ${reason}`).join('; ')}).`,
    hint: 'Check the driver and the rights to its device, or leave --browser-gpu out: the processor draws instead.',
    final: true,
    fault: 'machine',
  }),
  VID_BROWSER_GPU_LOST: (f: { gpu: string; reason: string }) => ({
    message: `The GPU was lost while pages were drawn on it (${f.gpu}): ${f.reason}.`,
    hint: 'Look for faults of its driver in the log of the system; --no-browser-gpu lets the processor draw.',
    fault: 'machine',
  }),
  VID_BROWSER_RASTER_UNAVAILABLE: (f: { reason: string }) => ({
    message: `Raster "native" is set, but ${f.reason}.`,
    hint: 'Leave it out or set raster "portable": every processor then draws pages alike.',
    final: true,
    fault: 'machine',
  }),
  VID_BROWSER_LACKS: (f: { browser: string; part: string }) => ({
    message: `${f.browser} cannot capture ${f.part}.`,
    hint: 'Use browser "chromium" for it, or another output: a format without alpha, or --sdr.',
    fault: 'caller',
  }),
  VID_LANE_UNAVAILABLE: (f: { lane: string; browser: string }) => ({
    message: `Capture lane "${f.lane}" does not work with ${f.browser}.`,
    hint: 'Use lane "auto" or "screenshot", or a headless shell on Linux.',
    fault: 'caller',
  }),
  VID_LANE_UNFIT: (f: { reason: string; repetition?: Repetition }) => ({
    message: `The fastest lane does not capture this page exactly, so vid discards its frames: ${f.reason}.`,
    hint: 'Use lane "auto", which then switches to another lane.',
    fault: 'render',
  }),
  VID_FRAME_FORMAT: (f: { accepts: readonly string[]; formats: readonly string[]; lane: string }) => ({
    message: `The encoder accepts ${f.accepts.join(', ')}, but lane "${f.lane}" produces ${f.formats.join(', ')}.`,
    hint: 'Choose another encoder or another capture lane; every encoder should accept png.',
    fault: 'caller',
  }),
  VID_PAGE_LOAD: (f: { url: string; detail: string }) => ({
    message: `The page ${f.url} could not be opened: ${f.detail}.`,
    hint: 'Check that the entry file is an HTML document inside the project.',
    fault: 'render',
  }),
  VID_PAGE_STARVED: (f: { failed: string; shortage: Shortage }) => ({
    message: `${f.failed}${lackText(f.shortage)}.`,
    hint: remedyText(f.shortage),
    fault: 'machine',
  }),
  VID_PAGE_CRASHED: (f: { shortage: Shortage }) => ({
    message: `The page crashed while it was captured${lackText(f.shortage)}.`,
    hint: remedyText(f.shortage),
    fault: 'machine',
  }),
  VID_PAGE_UNRESPONSIVE: (f: { seconds: number; doing: string } & Blocked) => ({
    message: `The page did not answer for ${f.seconds} s while it was ${f.doing}: ${blockedText(f)}.`,
    hint:
      f.source === undefined
        ? 'Use fewer elements, animations and effects at a time, and look for work that grows with each frame.'
        : 'Look for a loop that never ends, or for work that grows with each frame.',
    final: true,
    fault: 'render',
  }),
  VID_PAGE_STUCK: (f: { seconds: number; doing: string }) => ({
    message: `The page did not finish ${f.doing} within ${f.seconds} s: a promise given to waitUntil, or an image, never settled.`,
    hint: 'Settle every promise that the page gives to waitUntil, also when loading fails.',
    final: true,
    fault: 'render',
  }),
  VID_FRAME_NOT_DRAWN: (f: { seconds: number; doing: string }) => ({
    message: `The browser did not finish ${f.doing} within ${f.seconds} s, though the page answers.`,
    hint: 'Heavy shaders can cause this: simplify them, or use capture lane "screenshot".',
    fault: 'render',
  }),
  VID_PAGE_SCRIPT: (f: { doing: string; detail: string }) => ({
    message: `The page failed while it was ${f.doing}: ${f.detail}.`,
    hint: 'Look at the script that the message names.',
    fault: 'render',
  }),
  VID_PAGE_NAVIGATED: (f: { url: string }) => ({
    message: `The page tried to navigate away to ${f.url}.`,
    hint: 'A composition must stay on its page: remove the link, form, reload or meta refresh.',
    final: true,
    fault: 'render',
  }),
  VID_CAPTURE_ABORTED: (f: { reason: string }) => ({
    message: `The capture was stopped: ${f.reason}.`,
    hint: 'Check the reason if the stop was not intended.',
    final: true,
    fault: 'render',
  }),
  VID_NOT_LOADED: (f: { seconds: number; detail: string }) => ({
    message: `The document was not loaded after ${f.seconds} s: ${f.detail}.`,
    hint: 'Look for a script, style sheet or frame that never arrives.',
    final: true,
    fault: 'render',
  }),
  VID_ROOT_MISSING: (f: { seconds: number; detail: string }) => ({
    message: `The page has no composition root after ${f.seconds} s: ${f.detail}.`,
    hint: 'Give the outermost element data-composition-id, data-width and data-height.',
    final: true,
    fault: 'render',
  }),
  VID_SCRIPT_FAILED: (f: { errors: readonly ScriptError[] }) => ({
    message: `A script of the page failed before its first frame: ${listed(f.errors)}.`,
    hint: 'Correct the script, or catch what it throws; if a name is not defined, look for a script that did not load.',
    final: true,
    fault: 'render',
  }),
  VID_FONT_NOT_LOADED: (f: { seconds: number; detail: string }) => ({
    message: `A font was not loaded after ${f.seconds} s: ${f.detail}.`,
    hint: 'Put the font file into the project and check the url() of its @font-face.',
    final: true,
    fault: 'render',
  }),
  VID_IMAGE_NOT_LOADED: (f: { seconds: number; detail: string }) => ({
    message: `An image was not loaded after ${f.seconds} s: ${f.detail}.`,
    hint: 'Put the image into the project and check its src.',
    final: true,
    fault: 'render',
  }),
  VID_PROMISE_PENDING: (f: { seconds: number; detail: string }) => ({
    message: `A promise given to waitUntil was not settled after ${f.seconds} s: ${f.detail}.`,
    hint: 'Settle every promise that the page gives to waitUntil, also when loading fails.',
    final: true,
    fault: 'render',
  }),
  VID_MEDIA_NOT_PROBED: (f: { seconds: number; detail: string }) => ({
    message: `A media source was not read after ${f.seconds} s: ${f.detail}.`,
    hint: 'The file may be very large or the disk slow: copy it to a faster disk, or cut it to the part that is used.',
    final: true,
    fault: 'machine',
  }),
  VID_MEDIA_NO_FRAME: (f: { src: string; tick: number; reason: string }) => ({
    message: `No frame could be extracted from ${f.src} at ${f.tick / 10_000} s: ${f.reason}.`,
    hint: 'The file may be cut off there: play it to the end, or encode it again.',
    final: true,
    fault: 'render',
  }),
  VID_MEDIA_CACHE_BYTES: (f: { value: string }) => ({
    message: `VID_MEDIA_CACHE_BYTES is "${f.value}", which is not a number of bytes.`,
    hint: 'Give a whole number such as 4294967296, or unset it.',
    fault: 'caller',
  }),
} satisfies ErrorTable

/** Creates the errors of capture. */
export const captureFailure = defineErrors(captureErrors)
