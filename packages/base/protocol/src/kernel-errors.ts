import { defineErrors, type ErrorTable } from './errors.ts'
import { didYouMean } from './nearest.ts'

const culprit = (plugin: string, hook: string) => `Plugin ${plugin} in hook ${hook}`

/** Errors of a render, raised by the kernel and known to everything that runs or reports one elsewhere. */
export const kernelErrors = {
  VID_PLUGIN_FAILED: (f: { plugin: string; hook: string; reason: string }) => ({
    message: `${culprit(f.plugin, f.hook)} failed: ${f.reason}.`,
    hint: `Fix the cause if it is on this machine, such as a damaged or missing file; otherwise report it to the author of ${f.plugin}.`,
    fault: 'render',
  }),
  VID_CODE_STRAY: (f: { place: string; reason: string }) => ({
    message: `Code in ${f.place} failed where nothing waits for it: ${f.reason}.`,
    hint: 'Await every promise, and handle the errors of timers and events.',
    fault: 'render',
  }),
  VID_MACHINE_LACKS: (f: { doing: string; reason: string }) => ({
    message: `This machine failed while ${f.doing}: ${f.reason}.`,
    hint: 'Free disk space (temporary files and cache), memory or open files (ulimit -n), then render again.',
    fault: 'machine',
  }),
  VID_RENDER_STRICT: (f: { problems: readonly { readonly code: string; readonly message: string }[] }) => ({
    message: `The result would be wrong: ${f.problems.map(({ code, message }) => `${code}: ${message}`).join(' | ')}.`,
    hint: 'Correct these problems, or render without --strict.',
    final: true,
    fault: 'render',
  }),
  VID_PLUGIN_STALLED: (f: { plugin: string; hook: string }) => ({
    message: `${culprit(f.plugin, f.hook)} never finished.`,
    hint: `${f.plugin} must settle every promise it returns, also when its signal aborts.`,
    fault: 'render',
  }),
  VID_TAP_REFUSED: (f: { plugin: string; hook: string; problem: string }) => ({
    message: `${culprit(f.plugin, f.hook)} cannot tap: ${f.problem}.`,
    hint: 'Tap inside setup, and order taps by stage.',
    fault: 'caller',
  }),
  VID_FORMAT_UNKNOWN: (f: { format: string; known: readonly string[] }) => ({
    message: `No encoder makes the format "${f.format}"; known: ${f.known.join(', ') || 'none'}.`,
    hint: `${didYouMean(f.format, f.known)}Choose a known format, or register an encoder for it in vid.config.ts.`,
    fault: 'caller',
  }),
  VID_PUBLISH_FORMAT: (f: { formats: readonly string[] }) => ({
    message: `${f.formats.join(' and ')} cannot be played while it is rendered.`,
    hint: 'Render it as hls, or wait for the end.',
    fault: 'caller',
  }),
  VID_LADDER_UNFIT: (f: { rungs: readonly number[]; width: number; height: number }) => ({
    message: `The ladder has ${f.rungs.join(' and ')}, but the shorter side of the picture, ${f.width}x${f.height}, is smaller.`,
    hint: 'Leave out the sizes above that of the picture, or render a larger picture with --scale.',
    fault: 'caller',
  }),
  VID_OUTPUTS_APART: (f: { format: string; other: string; what: string }) => ({
    message: `${f.format} and ${f.other} cannot share frames: their ${f.what} differs.`,
    hint: 'Render them one after the other.',
    fault: 'caller',
  }),
  VID_SCALE_UNFIT: (f: { asked: string; page: string; problem: string; near: readonly string[] }) => ({
    message: `${f.asked} does not fit the composition of ${f.page}: ${f.problem}.`,
    hint:
      f.near.length > 0
        ? `Nothing is stretched or cut: sizes of its shape nearby are ${f.near.join(' and ')}.`
        : 'Choose a smaller picture.',
    fault: 'caller',
  }),
  VID_RANGE_UNFIT: (f: { asked: string; seconds: number; frames: number; problem: string }) => ({
    message: `${f.asked} does not fit the composition of ${f.seconds} s (${f.frames} frames): ${f.problem}.`,
    hint: `Choose times from 0s to ${f.seconds}s, the first before the second.`,
    fault: 'caller',
  }),
  VID_POSTER_TIME: (f: { value: string; seconds: number }) => ({
    message: `--poster has "${f.value}", but the video is ${f.seconds} s long.`,
    hint: `Give a time from 0s to ${f.seconds}s, or from 0% to 100%.`,
    fault: 'caller',
  }),
  VID_POSTER_FORMAT: (f: { formats: readonly string[]; able: readonly string[] }) => ({
    message: `${f.formats.join(' and ')} cannot have a poster.`,
    hint: `Render ${f.able.join(', ') || 'another format'}, or take a picture with vid snapshot.`,
    fault: 'caller',
  }),
  VID_PLAN_BUILD: (f: { plugin: string; planned: string; found: string }) => ({
    message: `The plan was made with ${f.plugin} on "${f.planned}"; here it is "${f.found}".`,
    hint: 'The same plan must give the same bytes: make the plan again here, or use the same browser and ffmpeg; --raster portable makes plans for every processor.',
    final: true,
    fault: 'machine',
  }),
  VID_PLAN_CODE: (f: { plugin: string; planned: string | undefined; found: string | undefined }) => ({
    message: `The plan was made with the code "${f.planned ?? 'none'}" of ${f.plugin}; here it is "${f.found ?? 'none'}".`,
    hint: `The same plan must give the same bytes: make the plan again here, or use the same version of ${f.plugin}.`,
    final: true,
    fault: 'machine',
  }),
  VID_PLAN_OPTIONS: (f: { plugin: string; planned: string; found: string }) => ({
    message: `The plan was made with the options ${f.planned} of ${f.plugin}; here they are ${f.found}.`,
    hint: `The same plan must give the same bytes: make the plan again here, or give ${f.plugin} the same options.`,
    final: true,
    fault: 'machine',
  }),
  VID_ANSWER_WRONG: (f: { plugin: string; hook: string; expected: string; got: string }) => ({
    message: `${culprit(f.plugin, f.hook)} gave a wrong answer: expected ${f.expected}; got ${f.got}.`,
    hint: `Report it to the author of ${f.plugin}; the suites of @vid/testkit find it.`,
    final: true,
    fault: 'render',
  }),
  VID_HOOK_UNANSWERED: (f: { hook: string; wanted: string }) => ({
    message: `No plugin answered the hook ${f.hook} for ${f.wanted}.`,
    hint: 'Register the plugin that the plan names in vid.config.ts.',
    final: true,
    fault: 'render',
  }),
  VID_FRAMES_WRONG: (f: { plugin: string; problem: string }) => ({
    message: `${f.plugin} produced wrong frames: ${f.problem}.`,
    hint: `Report it to the author of ${f.plugin}; the capture suite of @vid/testkit finds it.`,
    fault: 'render',
  }),
  VID_FRAMES_UNREAD: (f: { plugin: string; read: number; wanted: number }) => ({
    message: `${f.plugin} finished after reading ${f.read} of ${f.wanted} frames.`,
    hint: `Report it to the author of ${f.plugin}; the encoder suite of @vid/testkit finds it.`,
    fault: 'render',
  }),
  VID_ARTIFACT_MISSING: (f: { plugin: string; path: string }) => ({
    message: `${f.plugin} wrote no file at ${f.path}.`,
    hint: `Report it to the author of ${f.plugin}.`,
    fault: 'render',
  }),
  VID_ARTIFACT_DAMAGED: (f: { plugin: string; path: string; expected: string; found: string }) => ({
    message: `${f.plugin} damaged the result at ${f.path}: its SHA-256 is ${f.found}, but that of the rendered result is ${f.expected}.`,
    hint: 'Render again; if it happens again, check the memory and the disk of this machine and of the other one.',
    fault: 'machine',
  }),
  VID_OUTPUT_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `The result cannot be written to ${f.path}: ${f.reason}.`,
    hint: 'Check that the folder exists, is writable and has free space, or choose another --output.',
    final: true,
    fault: 'machine',
  }),
  VID_TARGET_RESULT: (f: { plugin: string; problems: readonly string[] }) => ({
    message: `${f.plugin} resolved to a wrong result: ${f.problems.join('; ')}.`,
    hint: `Report it to the author of ${f.plugin}; the target suite of @vid/testkit finds it.`,
    fault: 'render',
  }),
  VID_TARGET_REFUSES: (f: { plugin: string; problems: readonly string[] }) => ({
    message: `${f.plugin} cannot render this request: ${f.problems.join('; ')}.`,
    hint: 'Change what is named above, or choose another target with --target.',
    fault: 'caller',
  }),
  VID_TEMP_FOLDER: (f: { path: string; reason: string }) => ({
    message: `The folder for temporary files, ${f.path}, is not writable: ${f.reason}.`,
    hint: 'Set TMPDIR to an existing, writable folder.',
    fault: 'machine',
  }),
  VID_CANCELLED: ({ what = 'The render' }: { what?: string }) => ({
    message: `${what} was cancelled.`,
    hint: 'Start it again.',
    final: true,
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes the errors of a render. */
export const failRender = defineErrors(kernelErrors)
