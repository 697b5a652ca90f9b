import { VidError } from '@vid/kernel'
import { type ConfigProblem, lambdaErrors } from './errors.ts'

/** An unusable value from a caller: the field and the reason. */
export class InvalidConfigError extends VidError {
  override readonly name = 'InvalidConfigError'
  /** Dotted name of the first unusable field: `config.fps`. */
  readonly field: string
  /** All unusable fields. */
  readonly problems: readonly ConfigProblem[]

  constructor(first: ConfigProblem, ...more: readonly ConfigProblem[]) {
    super('VID_LAMBDA_CONFIG', lambdaErrors.VID_LAMBDA_CONFIG({ ...first, more }), { ...first, more })
    this.field = first.field
    this.problems = [first, ...more]
  }
}

/** Throws InvalidConfigError if there are problems. */
export const refuseProblems = (problems: readonly ConfigProblem[]): void => {
  const [first, ...more] = problems
  if (first) throw new InvalidConfigError(first, ...more)
}
