import { defineErrors } from '@vid/kernel'

/** Every error of this plugin: code → message and hint built from facts. */
export const encoderMp4Errors = {
  VID_MP4_BITRATE: (facts: { value: string; lowest: string; highest: string }) => ({
    message: `The video bitrate ${facts.value} is outside ${facts.lowest} … ${facts.highest} bits per second.`,
    hint: 'Write it like --video-bitrate 10M or 5000k, or use --crf.',
    exitCode: 2 as const,
  }),
  VID_MP4_SETTINGS: (facts: { problems: readonly string[] }) => ({
    message: `The plan's encoder settings do not fit this version of the plugin: ${facts.problems.join('; ')}.`,
    hint: 'Make the plan again with the version of vid that renders it.',
  }),
}

/** Makes an error of this plugin. */
export const fail = defineErrors(encoderMp4Errors)
