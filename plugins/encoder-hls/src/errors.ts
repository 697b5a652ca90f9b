import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Every error of this package: code → message and hint built from facts. */
export const hlsErrors = {
  VID_HLS_SOURCE: (facts: { file: string; problem: string }) => ({
    message: `${facts.file} cannot be cut into media segments: ${facts.problem}.`,
    hint: 'Render again; if it happens again, report it with the output of `vid inspect`.',
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes an error of this package. */
export const failHls = defineErrors(hlsErrors)
