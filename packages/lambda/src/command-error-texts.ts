import type { ErrorTable } from '@vid/kernel'

/** Errors of the commands. */
export const commandTexts = {
  VID_LAMBDA_BATCH_LINE: (f: { line: number; problem: string }) => ({
    message: `line ${f.line} of the batch cannot be rendered: ${f.problem}`,
    hint: 'correct the line; nothing has been started',
    fault: 'caller',
  }),
  VID_LAMBDA_BATCH_UNSTARTED: (f: { failed: number; total: number }) => ({
    message: `${f.failed} of ${f.total} renders could not be started`,
    hint: 'the rows say which and why; give their lines again in a batch of their own',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_ESTIMATE: (f: { problem: string; hint: string }) => ({
    message: `the cost cannot be estimated: ${f.problem}`,
    hint: f.hint,
    fault: 'caller',
  }),
  VID_LAMBDA_FETCH_LEFT: (f: { renderId: string; uri: string }) => ({
    message: `the result of the render ${f.renderId} was not fetched to its end`,
    hint: `it stays at ${f.uri}; "vid lambda progress ${f.renderId} --wait --output FILE" fetches it`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `nobody waits here for the render ${f.renderId} any more; it goes on at AWS`,
    hint: `"vid lambda progress ${f.renderId} --wait" follows it again, "vid lambda stop ${f.renderId}" ends it`,
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_STACK_LEFT: (f: { stackName: string; command: string }) => ({
    message: `nobody waits here for the stack ${f.stackName} any more; CloudFormation goes on with it`,
    hint: `"${f.command}" again waits for it and finishes`,
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable
