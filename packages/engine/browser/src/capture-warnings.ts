import { type CharacterGroup, describeCharacters, describeScriptFont } from '@vid/core'
import { defineWarnings, type WarningTable } from '@vid/protocol'
import { ALLOW_SANDBOX, where } from './capture-phrases.ts'
import type { Repetition } from './repetition.ts'

/** The browser's message for a file that the project's server does not have. */
const NOT_FOUND = /^Failed to load resource: the server responded with a status of 404\b.*$/

/** The browser's message for a file that the project's server refuses: hidden, or a link that leads outside. */
const REFUSED = /^Failed to load resource: the server responded with a status of 403\b.*$/

/** Whether a frame was captured twice by slower lanes, alike, and nothing in its page is known to make another one differ. */
const isProven = ({ repetition }: { readonly repetition?: Repetition | undefined }) =>
  repetition !== undefined && repetition.moves === undefined && repetition.clocks.length === 0

/** What moves a page although the time of the composition stands still, as far as it is known. */
const movingReason = ({ clocks, moves }: Repetition) => {
  if (clocks.length > 0) return `${clocks.join(' and ')} ${clocks.length > 1 ? 'run' : 'runs'} by the real clock`
  return moves === 'while held'
    ? 'the page moves while the time of the composition stands still'
    : 'something in the page depends on how fast it is loaded and drawn, or on the frames before'
}

/** Warnings about a page that can still be captured; the codes are stable. */
export const captureWarnings = {
  VID_SANDBOX_OFF: (f: { reason: string }) => ({
    message: `Pages run outside the browser's sandbox: ${f.reason}.`,
    hint: `${ALLOW_SANDBOX} VID_SANDBOX=off accepts this without a warning, VID_SANDBOX=require refuses it.`,
    transient: true,
  }),
  VID_REMOTE_BLOCKED: (f: { url: string; reason: string }) => ({
    message: `${f.url} was refused: ${f.reason}.`,
    hint: 'Put the file into the project and refer to it by a relative path.',
    severity: 'error',
  }),
  VID_NETWORK_REFUSED: (f: { address: string }) => ({
    message: `The page tried to reach ${f.address}; it was refused.`,
    hint: 'A page can load files of its project and fetched files by GET; sockets, tunnels and windows are blocked.',
  }),
  VID_ASSET_FAILED: (f: { url: string; detail: string }) => ({
    message: `${f.url}: ${f.detail.replace(NOT_FOUND, 'the file does not exist').replace(REFUSED, 'it is hidden, or a link that leaves the project, which is not followed')}.`,
    hint: 'Check the path; it is relative to the file that names it and must stay inside the project.',
    severity: 'error',
  }),
  VID_IMAGE_STILL: (f: { sources: readonly string[] }) => ({
    message: `Only the first frame is shown of ${f.sources.join(', ')}.`,
    hint: 'An <img>, an SVG <image> and an image button of the project follow the time of the composition; a poster and an image of a style sheet do not. Put an SVG whose animations wait for each other or for events inline into the page.',
  }),
  VID_ANIMATION_STILL: (f: { name: string; element: string }) => ({
    message: `The animation${f.name === '' ? '' : ` "${f.name}"`} in ${f.element} stands still: the page cannot set its time.`,
    hint: 'Animate an element of the page itself, outside of closed shadow trees and of frames with sandbox or of another origin.',
  }),
  VID_LETTERS_MISSING: (f: { group: CharacterGroup; element: string }) => ({
    message: `No font has ${describeCharacters(f.group)} (in ${f.element}): they are drawn as boxes.`,
    hint: `Fonts of the machine are not used, so that text looks the same everywhere. ${describeScriptFont(f.group.font)}.`,
    severity: 'error',
  }),
  VID_TEXT_DAMAGED: (f: { element: string }) => ({
    message: `Some text in ${f.element} is not valid UTF-8 and is shown as �.`,
    hint: 'Save the file that it comes from as UTF-8.',
    severity: 'error',
  }),
  VID_MEDIA_DAMAGED: (f: { src: string; detail: string }) => ({
    message: `Some frames of ${f.src} could not be read, so the nearest earlier frame is shown: ${f.detail}.`,
    hint: 'Encode the source again; its file may be cut off.',
    severity: 'error',
  }),
  VID_MEDIA_UNTIMED: (f: { src: string; reason: string }) => ({
    message: `${f.src} does not say when its frames are shown: ${f.reason}.`,
    hint: 'Put it into a container with time stamps, such as MP4 or Matroska, at the rate that it was made for.',
  }),
  VID_SCRIPT_ERROR: (f: { message: string; source?: string | undefined; line?: number | undefined }) => ({
    message: `${f.message}${where(f)}.`,
    hint: 'The page was captured as it stands; fix the script that the message names.',
    severity: 'error',
  }),
  VID_EMBEDDED_UNSEEN: (f: { element: string; src: string; reason: string }) => ({
    message: `${f.element} embeds ${f.src}, and shows nothing of it at any time: ${f.reason}.`,
    hint: 'Render that file alone with -c: its content must be in its <template> or in its <body>.',
  }),
  VID_PAGE_DIFFERS: (f: { message: string }) => ({
    message: f.message,
    hint: 'No script is wrong, but the video differs from a browser window. If that is what you want, change nothing.',
  }),
  VID_PAGE_UNREPEATABLE: (f: Repetition) => ({
    message: `Two captures of the same frame differ, so another render shows other pictures: ${movingReason(f)}.`,
    hint: 'Draw from the time of the composition alone, and delay the frame for what takes time: __vid.waitUntil(promise), or detail.waitUntil(promise) of the event vid-seek.',
    severity: 'error',
  }),
  VID_SOUND_UNTIMED: (f: { tag: string }) => ({
    message: `${f.tag} has no data-start, so its sound is not in the video.`,
    hint: 'Write data-start="0" on it, or mute it.',
  }),
  VID_HDR_UNFIT: (f: { src: string; reason: string }) => ({
    message: `The HDR video ${f.src} may be shown with wrong brightness: ${f.reason}.`,
    hint: 'HDR videos keep their brightness when they are positioned, scaled and blended; use --sdr for other effects.',
  }),
  VID_WEBGL_MISSING: (_: object) => ({
    message: 'The page asked for a WebGL context, which this browser does not provide: its WebGL content is missing.',
    hint: 'Capture with browser "chromium", which draws WebGL in software.',
    severity: 'error',
  }),
  VID_DRAWING_SLOW: (f: { doing: string }) => ({
    message: `The page is slow, not stuck: it still draws with WebGL while ${f.doing}.`,
    hint: 'Without a GPU, WebGL is drawn by the processor: simplify its shaders, draw a smaller canvas, render with fewer workers, or render on a machine with a GPU (--browser-gpu).',
    transient: true,
  }),
  VID_LANE_FALLBACK: (f: { reason: string; repetition?: Repetition | undefined }) => ({
    message: `${isProven(f) ? 'The picture is correct, but a slower lane captures it' : 'A slower lane captures the picture'}: ${f.reason}.`,
    hint: 'You need not fix anything. To render faster, change the part that the message names.',
    transient: true,
  }),
  VID_CONSOLE_ERROR: (f: { text: string }) => ({
    message: `The page logged an error: ${f.text}.`,
  }),
  VID_DIALOG_DISMISSED: (f: { kind: string; text: string }) => ({
    message: `The page opened ${f.kind}("${f.text}"); it was dismissed.`,
    hint: 'Nobody can answer a dialog during a render: remove it.',
  }),
  VID_POPUP_REFUSED: (f: { url: string }) => ({
    message: `The page tried to open a window with ${f.url}; it was refused.`,
    hint: 'A composition must stay on its page.',
  }),
  VID_DOWNLOAD_REFUSED: (f: { url: string }) => ({
    message: `The page tried to download ${f.url}; it was refused.`,
    hint: 'A composition must not save files.',
  }),
} satisfies WarningTable

/** Creates the warnings of capture. */
export const captureWarning = defineWarnings(captureWarnings)
