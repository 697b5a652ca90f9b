// Paths and templates of a definition, evaluated by the library itself.
import { StateMachine } from 'aws-local-stepfunctions'

/** The input of a Pass state with these fields, after they were applied. */
export const evaluate = (fields, input, context) => {
  const States = { Evaluate: { Type: 'Pass', ...fields, End: true } }
  const machine = new StateMachine({ StartAt: 'Evaluate', States }, { validationOptions: { noValidate: true } })
  return machine.run(input, { context }).result
}
