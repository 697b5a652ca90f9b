import { VidError } from '@vid/kernel'
import { type ConfigProblem, lambdaErrors } from './errors.ts'

/** A value that a caller gave cannot be used: which field, and why. */
export class InvalidConfigError extends VidError {
  override readonly name = 'InvalidConfigError'
  /** Name of the first field that cannot be used, with dots: `config.fps`. */
  readonly field: string
  /** All fields that cannot be used. */
  readonly problems: readonly ConfigProblem[]

  constructor(first: ConfigProblem, ...more: readonly ConfigProblem[]) {
    super('VID_LAMBDA_CONFIG', lambdaErrors.VID_LAMBDA_CONFIG({ ...first, more }), { ...first, more })
    this.field = first.field
    this.problems = [first, ...more]
  }
}

/** Throws InvalidConfigError when there are problems. */
export const refuseProblems = (problems: readonly ConfigProblem[]): void => {
  const [first, ...more] = problems
  if (first) throw new InvalidConfigError(first, ...more)
}
