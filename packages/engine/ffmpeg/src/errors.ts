import { defineErrors, type ErrorTable } from '@vid/protocol'

/** The last lines of ffmpeg's stderr, as a clause of a message. */
const outputOf = (stderr: string) => (stderr === '' ? 'it printed nothing' : `it printed: ${stderr}`)

/** What an operator does where decoders cannot be confined. */
export const ALLOW_CONFINEMENT =
  'Install bubblewrap, and let this machine or container create user namespaces and mounts in them.'

/** Every error of this package: code → message and hint built from facts. */
export const ffmpegErrors = {
  VID_FFMPEG_PATH: (facts: { setting: string; value: string; reason: string }) => ({
    message: `${facts.setting} is "${facts.value}", which does not run: ${facts.reason}.`,
    hint: `Point ${facts.setting} at a working program, or unset it to use the embedded one.`,
    fault: 'caller',
  }),
  VID_FFMPEG_MISSING: (facts: { program: string; platform: string }) => ({
    message: `No usable ${facts.program} was found for ${facts.platform}.`,
    hint: `Install ffmpeg 5 or newer with libx264, or set VID_${facts.program.toUpperCase()}_PATH.`,
    fault: 'machine',
  }),
  VID_FFMPEG_NOT_EXECUTABLE: (facts: { file: string; reason: string }) => ({
    message: `The embedded ${facts.file} is not executable, and no executable copy could be made: ${facts.reason}.`,
    hint: 'Set VID_CACHE_DIR to a folder that can be written and from which programs may run, or set VID_FFMPEG_PATH and VID_FFPROBE_PATH.',
    fault: 'machine',
  }),
  VID_MEDIA_SANDBOX_MODE: (facts: { value: string; modes: readonly string[] }) => ({
    message: `VID_SANDBOX is "${facts.value}"; its values are ${facts.modes.join(', ')}.`,
    hint: 'Set one of these, or unset it.',
    fault: 'caller',
  }),
  VID_MEDIA_SANDBOX_MISSING: (facts: { reason: string }) => ({
    message: `VID_SANDBOX is "require", but ffmpeg cannot read sources in a sandbox here: ${facts.reason}.`,
    hint: `${ALLOW_CONFINEMENT} VID_SANDBOX=auto reads them without it.`,
    final: true,
    fault: 'machine',
  }),
  VID_FFMPEG_START: (facts: { program: string; reason: string }) => ({
    message: `"${facts.program}" could not be started: ${facts.reason}.`,
    hint: 'Run `vid doctor`. Too little memory or too many processes can also be the cause.',
    fault: 'machine',
  }),
  VID_FFMPEG_FAILED: (facts: {
    program: string
    outcome: string
    stderr: string
    isMachine?: boolean
    isDiskFull?: boolean
  }) => ({
    message: `${facts.program} ${facts.outcome}; ${outputOf(facts.stderr)}.`,
    hint: 'The last lines name the cause: a full disk, a damaged input, or a codec that this build lacks.',
    ...(facts.isDiskFull && { final: true }),
    fault: facts.isMachine ? 'machine' : 'render',
  }),
  VID_FFMPEG_FRAMES: (facts: { sent: number; encoded: number; stderr: string }) => ({
    message: `The encoder received ${facts.sent} frames and encoded ${facts.encoded}; ${outputOf(facts.stderr)}.`,
    hint: 'A frame was not a complete picture of the declared size; check the capture engine.',
    fault: 'render',
  }),
  VID_FFMPEG_FRAME: (facts: { index: number; problem: string }) => ({
    message: `Frame ${facts.index} cannot be encoded: ${facts.problem}.`,
    hint: 'All frames of a segment must have one format and, when raw, exactly the bytes of one picture.',
    fault: 'render',
  }),
  VID_FFMPEG_NO_FRAMES: (facts: { file: string }) => ({
    message: `No frame arrived for ${facts.file}.`,
    hint: 'A segment needs at least one frame; check the capture engine.',
    fault: 'render',
  }),
  VID_FFMPEG_PROBE: (facts: { file: string; reason: string }) => ({
    message: `${facts.file} could not be read as media: ${facts.reason}.`,
    hint: 'Check that the file exists, is complete, and is audio, video or an image.',
    fault: 'render',
  }),
  VID_CODEC_MISSING: (facts: { codec: string; title: string; library: string; version: string; ffmpeg: string }) => ({
    message: `The ffmpeg at ${facts.ffmpeg}, ${facts.version}, cannot encode ${facts.title}: it has no ${facts.library}.`,
    hint: `Install ffmpeg 5.1 or newer with ${facts.library}, point VID_FFMPEG_PATH at one, or choose another --codec than ${facts.codec}.`,
    final: true,
    fault: 'machine',
  }),
  VID_CODEC_HDR: (facts: { codec: string }) => ({
    message: `HDR cannot be encoded as ${facts.codec}.`,
    hint: 'Use --codec hevc, or leave --hdr out.',
    fault: 'caller',
  }),
  VID_CODEC_LOSSLESS: (facts: { codec: string }) => ({
    message: `The codec ${facts.codec} has no constant quality of 0.`,
    hint: 'Use --crf 1 or more, or --codec h264, whose 0 is lossless.',
    fault: 'caller',
  }),
  VID_CODEC_SIZE: (facts: { codec: string; title: string; width: number; height: number; minSide: number }) => ({
    message: `${facts.title} needs at least ${facts.minSide} pixels in each direction; this picture has ${facts.width}x${facts.height}.`,
    hint: `Make the picture larger, as with --scale, or choose another --codec than ${facts.codec}.`,
    fault: 'caller',
  }),
  VID_VIDEO_BITRATE: (facts: { value: string; lowest: string; highest: string }) => ({
    message: `The video bitrate ${facts.value} is outside ${facts.lowest} … ${facts.highest} bits per second.`,
    hint: 'Write it like --video-bitrate 10M or 5000k, or use --crf.',
    fault: 'caller',
  }),
  VID_FRAMES_HDR: (facts: { format: string; wanted: string }) => ({
    message: `The capture engine sent ${facts.format} frames for a video in ${facts.wanted}.`,
    hint: 'A capture engine must send yuv420p10 or rgba for HDR, and yuv420p10 only for HDR.',
    final: true,
    fault: 'render',
  }),
  VID_ENCODER_SETTINGS: (facts: { problems: readonly string[] }) => ({
    message: `The plan's encoder settings do not fit this version of the encoder: ${facts.problems.join('; ')}.`,
    hint: 'Create the plan again with this version of vid.',
    final: true,
    fault: 'render',
  }),
  VID_MEDIA_WRITE: (facts: { file: string; reason: string }) => ({
    message: `${facts.file} could not be written: ${facts.reason}.`,
    hint: 'Check the free space and the permissions of the folder for temporary files, or set TMPDIR to another folder.',
    fault: 'machine',
  }),
  VID_OUTPUT_WRONG: (facts: { format: string; problems: readonly string[] }) => ({
    message: `The finished ${facts.format} does not match its plan: ${facts.problems.join('; ')}.`,
    hint: 'It was not delivered. Render again; if it happens again, report it with the output of `vid inspect`.',
    fault: 'render',
  }),
  VID_MEDIA_CHANGED: (facts: { src: string; planned: string; found: string }) => ({
    message: `The source ${facts.src} changed after the render was planned: ${facts.planned.slice(0, 12)} is now ${facts.found.slice(0, 12)}.`,
    hint: 'Do not change the sources of a composition during its render, and give every machine the same files.',
    final: true,
    fault: 'render',
  }),
  VID_MEDIA_PAST_END: (facts: { label: string; mediaStart: number; duration: number }) => ({
    message: `${facts.label} starts ${facts.mediaStart} s into a source of ${facts.duration} s.`,
    hint: 'Use a smaller data-media-start or a longer source.',
    final: true,
    fault: 'render',
  }),
  VID_MEDIA_STRICT: (facts: { broken: readonly { label: string; reason: string }[] }) => ({
    message: `Some media cannot be used: ${facts.broken.map(({ label, reason }) => `${label}: ${reason}`).join('; ')}.`,
    hint: 'Correct the sources, or render without --strict to skip them.',
    final: true,
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes an error of this package. */
export const fail = defineErrors(ffmpegErrors)
