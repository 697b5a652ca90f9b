import type { ErrorTable } from '@vid/protocol'

/** Errors of uploading a project, following its render and fetching the result. */
export const followTexts = {
  VID_LAMBDA_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `The entry file ${f.entry} is not among the uploaded files.`,
    hint: 'Include its folder with a line such as !dist in .vidignore, or render that folder itself.',
    fault: 'caller',
  }),
  VID_LAMBDA_OUTPUT_ALTERED: (f: { uri: string; problem: string }) => ({
    message: `The object ${f.uri} is not the result of the render: ${f.problem}.`,
    hint: 'Render again; something else wrote to the bucket.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_OUTPUT_DAMAGED: (f: { uri: string; expected: string; found: string }) => ({
    message: `The download of ${f.uri} has the SHA-256 ${f.found}, but the result has ${f.expected}.`,
    hint: 'Fetch it again; if it fails again, another render replaced it: render again with another --output-key.',
    fault: 'machine',
  }),
  VID_LAMBDA_OUTPUT_MISSING: (f: { uri: string }) => ({
    message: `The object ${f.uri} does not exist, although the render succeeded.`,
    hint: 'Render again; something else removed it from the bucket.',
    final: true,
    fault: 'machine',
  }),
  VID_LAMBDA_RENDER_FAILED: (f: { renderId: string; reason: string }) => ({
    message: `The render ${f.renderId} failed: ${f.reason}.`,
    hint: `"vid lambda logs ${f.renderId}" shows the logs of its calls.`,
    final: true,
    fault: 'render',
  }),
  VID_LAMBDA_RENDER_MISSING: (f: { renderId: string; stackName: string; similar: readonly string[] }) => ({
    message: `The stack ${f.stackName} has no render ${f.renderId}${f.similar.length > 0 ? `; similar ids: ${f.similar.join(', ')}` : ''}.`,
    hint:
      f.similar.length > 0
        ? 'Give the full id.'
        : '"vid lambda list" shows the renders of the last 90 days; --stack and --region select another stack.',
    fault: 'caller',
  }),
  VID_LAMBDA_RENDER_STOPPED: (f: { renderId: string }) => ({
    message: `The render ${f.renderId} was stopped.`,
    hint: 'Render again; the finished segments are reused.',
    final: true,
    fault: 'machine',
  }),
} satisfies ErrorTable
