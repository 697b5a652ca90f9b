import type { ConfigProblem } from '../errors.ts'
import { RENDER_ID } from './execution-input.ts'

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const STATE_MACHINE = /^(arn:[\w-]+:states:([a-z0-9-]+):\d{12}):stateMachine:([\w-]{1,80})$/
const EXECUTION = /^(arn:[\w-]+:states:([a-z0-9-]+):\d{12}):execution:([\w-]{1,80}):([\w-]{1,80})$/
const ID = new RegExp(RENDER_ID)

const quote = (value: unknown) => JSON.stringify(value) ?? String(value)

/** Why a value is not a valid bucket name; empty if it is. */
export const bucketProblems = (bucketName: unknown): readonly ConfigProblem[] =>
  typeof bucketName === 'string' && BUCKET.test(bucketName)
    ? []
    : [{ field: 'bucketName', problem: `it must be the name of a bucket; got ${quote(bucketName)}` }]

/** Why a value is not a state machine's ARN; empty if it is. */
export const stateMachineProblems = (arn: unknown): readonly ConfigProblem[] =>
  typeof arn === 'string' && STATE_MACHINE.test(arn)
    ? []
    : [{ field: 'stateMachineArn', problem: `it must be the ARN of a state machine; got ${quote(arn)}` }]

/** Why a value is not a valid id of a render or a batch; empty if it is. */
export const idProblems = (field: string, id: unknown): readonly ConfigProblem[] =>
  typeof id === 'string' && ID.test(id)
    ? []
    : [{ field, problem: `it must have 1 to 80 letters, digits, - and _; got ${quote(id)}` }]

/** The region in the ARN of a state machine or an execution; undefined for other text. */
export const regionOfArn = (arn: string): string | undefined => (STATE_MACHINE.exec(arn) ?? EXECUTION.exec(arn))?.[2]

/** ARN of the execution of a render. */
export const executionArnOf = (stateMachineArn: string, renderId: string): string =>
  `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${renderId}`

/** The state machine and the render of an execution; undefined if the text is not an execution's ARN. */
export const readExecutionArn = (
  arn: string,
): { readonly stateMachineArn: string; readonly renderId: string } | undefined => {
  const [, place, , name, renderId] = EXECUTION.exec(arn) ?? []
  if (place === undefined || name === undefined || renderId === undefined) return undefined
  return { stateMachineArn: `${place}:stateMachine:${name}`, renderId }
}
