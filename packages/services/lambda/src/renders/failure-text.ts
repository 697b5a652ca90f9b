import type { RenderError } from './render-errors.ts'

const KILLED = 'the environment of the call ended, out of memory or killed'
const TOO_LONG = 'the call took longer than Lambda lets one run'
const OF_LAMBDA = 'Lambda itself failed'

/** Descriptions of errors that Lambda and Step Functions raise themselves. */
const words: Readonly<Record<string, string>> = {
  'Runtime.ExitError': KILLED,
  'Runtime.OutOfMemory': KILLED,
  'Sandbox.Timedout': TOO_LONG,
  'States.Timeout': TOO_LONG,
  'Lambda.TooManyRequestsException': 'all calls that the account or the function may run at once were in use',
  'Lambda.ServiceException': OF_LAMBDA,
  'Lambda.AWSLambdaException': OF_LAMBDA,
  'Lambda.SdkClientException': OF_LAMBDA,
  'Lambda.ClientExecutionTimeoutException': OF_LAMBDA,
  'Lambda.Unknown': OF_LAMBDA,
  'States.DataLimitExceeded': 'the results of the chunks are too large for the workflow',
  'States.ExceedToleratedFailureThreshold': 'chunks have failed',
  'States.Permissions': 'the workflow may not call the function',
  'States.Runtime': 'the workflow itself failed',
  'States.TaskFailed': 'the call failed',
}

/** Describes an error of a render; an error with one of vid's codes keeps its message. */
export const failureText = ({ state, error, cause }: RenderError): string =>
  [state, words[error] ?? error, cause].filter(Boolean).join(': ')
