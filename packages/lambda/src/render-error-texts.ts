import type { ErrorTable } from '@vid/kernel'

/** Errors of those who upload a project, follow its render and fetch the result. */
export const followTexts = {
  VID_LAMBDA_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `the entry file ${f.entry} is not among the files that are uploaded`,
    hint: 'take its folder in with a line such as !dist in .vidignore, or render that folder itself',
    fault: 'caller',
  }),
  VID_LAMBDA_OUTPUT_ALTERED: (f: { uri: string; problem: string }) => ({
    message: `${f.uri} is not what the render has written: ${f.problem}`,
    hint: 'render again; something else has written into the bucket',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_OUTPUT_DAMAGED: (f: { uri: string; expected: string; found: string }) => ({
    message: `what was fetched of ${f.uri} has the SHA-256 ${f.found}; the render has made ${f.expected}`,
    hint: 'fetch it again; if it stays, another render has replaced it: render again with an --output-key of its own',
    fault: 'machine',
  }),
  VID_LAMBDA_OUTPUT_MISSING: (f: { uri: string }) => ({
    message: `${f.uri} is not there, although the render has succeeded`,
    hint: 'render again; something else has removed it from the bucket',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_RENDER_FAILED: (f: { renderId: string; reason: string }) => ({
    message: `the render ${f.renderId} failed: ${f.reason}`,
    hint: `"vid lambda logs ${f.renderId}" shows what its calls have logged`,
    final: true,
    fault: 'render',
  }),
  VID_LAMBDA_RENDER_MISSING: (f: { renderId: string; stackName: string; similar: readonly string[] }) => ({
    message: `the stack ${f.stackName} has no render ${f.renderId}${f.similar.length > 0 ? `; ids that begin so: ${f.similar.join(', ')}` : ''}`,
    hint:
      f.similar.length > 0
        ? 'give the whole id'
        : '"vid lambda list" shows the renders of the last 90 days; --stack and --region say where they are',
    fault: 'caller',
  }),
  VID_LAMBDA_RENDER_STOPPED: (f: { renderId: string }) => ({
    message: `the render ${f.renderId} was stopped`,
    hint: 'render again; the finished segments are reused',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable
