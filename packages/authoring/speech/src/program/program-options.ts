import { withDefault } from '@vid/kernel'
import { machineLocal, Type } from '@vid/protocol'

const HOUR_MS = 3_600_000

/** Options of plugins that run a command of the user's. */
export const programOptions = {
  /** The program and its arguments, with placeholders; relative paths start in the folder where vid runs. */
  command: machineLocal(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
  /** Value of `{language}` where none is asked for. */
  language: withDefault(Type.String(), 'auto'),
  /** Variables of the environment that the program gets besides those that every program needs, such as `PATH`. */
  environment: machineLocal(withDefault(Type.Array(Type.String({ minLength: 1 })), [])),
  /** Time limit of a run, without the time in which other programs kept it waiting. */
  timeoutMs: withDefault(Type.Integer({ minimum: 1, maximum: 24 * HOUR_MS }), HOUR_MS),
}
