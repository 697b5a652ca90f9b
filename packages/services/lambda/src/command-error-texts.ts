import type { ErrorTable } from '@vid/protocol'

/** Errors of the commands. */
export const lambdaCommandTexts = {
  VID_LAMBDA_BATCH_LINE: (f: { line: number; problem: string }) => ({
    message: `Line ${f.line} of the batch cannot be rendered: ${f.problem}.`,
    hint: 'Correct the line; nothing has been started.',
    fault: 'caller',
  }),
  VID_LAMBDA_BATCH_UNSTARTED: (f: { failed: number; total: number }) => ({
    message: `${f.failed} of ${f.total} renders could not be started.`,
    hint: 'The rows name the reasons; submit their lines again as a separate batch.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_ESTIMATE: (f: { problem: string; hint: string }) => ({
    message: `The cost cannot be estimated: ${f.problem}.`,
    hint: f.hint,
    fault: 'caller',
  }),
  VID_LAMBDA_FETCH_LEFT: (f: { renderId: string; uri: string }) => ({
    message: `The result of the render ${f.renderId} was not fetched completely.`,
    hint: `It stays at ${f.uri}; "vid lambda progress ${f.renderId} --wait --output FILE" fetches it.`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `This command no longer waits for the render ${f.renderId}; it continues on AWS.`,
    hint: `"vid lambda progress ${f.renderId} --wait" follows it again, "vid lambda stop ${f.renderId}" ends it.`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_LEFT: (f: { stackName: string; command: string }) => ({
    message: `This command no longer waits for the stack ${f.stackName}; CloudFormation continues with it.`,
    hint: `Run "${f.command}" again to wait for it and to finish.`,
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable
