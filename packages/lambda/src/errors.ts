import { defineErrors, type ErrorTable } from '@vid/kernel'

/** A value that cannot be used, and why. */
export interface ConfigProblem {
  /** Name of the field, with dots: `config.fps`. */
  readonly field: string
  readonly problem: string
}

/** Errors of rendering on AWS. */
export const lambdaErrors = {
  VID_LAMBDA_CONFIG: (f: ConfigProblem & { more?: readonly ConfigProblem[] }) => ({
    message: `${f.field} cannot be used: ${f.problem}${(f.more ?? []).map(({ field, problem }) => `\n${field} cannot be used: ${problem}`).join('')}`,
    hint: `give another ${f.field}`,
    fault: 'caller',
  }),
  VID_LAMBDA_DEADLINE: (f: { seconds: number }) => ({
    message: `the work of one call took longer than the ${f.seconds} seconds that Lambda gives it`,
    hint: 'render with smaller chunks: a smaller chunkSize (--chunk-size)',
    fault: 'machine',
  }),
  VID_LAMBDA_PLUGIN_FINAL: (f: { message: string }) => ({
    message: `a plugin failed, and says that another attempt cannot succeed: ${f.message}`,
    hint: 'see the message of the plugin',
    final: true,
    fault: 'render',
  }),
  VID_LAMBDA_SEGMENT_CLAIMED: (f: { segment: number }) => ({
    message: `segment ${f.segment} is being rendered by another render of the batch`,
    hint: 'nothing needs to be done: the call is repeated until that segment is there',
    fault: 'machine',
  }),
} satisfies ErrorTable

export const fail = defineErrors(lambdaErrors)
