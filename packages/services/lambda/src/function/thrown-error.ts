import { defineErrors, type VidError } from '@vid/protocol'
import { lambdaErrors } from '../errors.ts'
import { finalErrors } from '../workflow/final-errors.ts'

const MAX_CHARACTERS = 8000
const finalCodes: ReadonlySet<string> = new Set(finalErrors)
const failLambda = defineErrors(lambdaErrors)

const shorten = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text)

/** The code by which the workflow decides about retries: it does not know the codes of third-party plugins. */
export const codeForWorkflow = ({ code, final }: Pick<VidError, 'code' | 'final'>): string =>
  final && !finalCodes.has(code) ? 'VID_LAMBDA_PLUGIN_FINAL' : code

/** An error in Lambda's format: its name is the code, its message the whole error as JSON. */
export const asLambdaError = (error: VidError): Error => {
  const name = codeForWorkflow(error)
  const { message, hint, ...data } = error.toJSON()
  const text = name === error.code ? message : failLambda('VID_LAMBDA_PLUGIN_FINAL', { message }).message
  const thrown = new Error(JSON.stringify({ ...data, message: shorten(text), hint: shorten(hint) }))
  thrown.name = name
  // The stack trace is in the log; here it would only fill the history of the execution.
  thrown.stack = name
  return thrown
}
