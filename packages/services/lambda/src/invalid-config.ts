import { isVidError, type VidError } from '@vid/protocol'
import { type ConfigProblem, fail } from './errors.ts'

/** An unusable value from a caller: the field and the reason. */
export interface InvalidConfigError extends VidError {
  readonly name: 'InvalidConfigError'
  /** Dotted name of the first unusable field: `config.fps`. */
  readonly field: string
  /** All unusable fields. */
  readonly problems: readonly ConfigProblem[]
}

/** Creates the error of unusable values. */
export const invalidConfig = (first: ConfigProblem, ...more: readonly ConfigProblem[]): InvalidConfigError =>
  Object.assign(fail('VID_LAMBDA_CONFIG', { ...first, more }), {
    name: 'InvalidConfigError' as const,
    field: first.field,
    problems: [first, ...more],
  })

/** Whether an error names unusable values of a caller; also one of another copy of this package. */
export const isInvalidConfig = (thrown: unknown): thrown is InvalidConfigError =>
  isVidError(thrown) && thrown.code === 'VID_LAMBDA_CONFIG' && 'problems' in thrown

/** Throws InvalidConfigError if there are problems. */
export const refuseProblems = (problems: readonly ConfigProblem[]): void => {
  const [first, ...more] = problems
  if (first) throw invalidConfig(first, ...more)
}
