import type { ErrorTable } from '@vid/protocol'

/** Errors of the commands. */
export const clientCommandTexts = {
  VID_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `This command no longer waits for the render ${f.renderId}; it continues on the API.`,
    hint: `"vid cloud get ${f.renderId}" shows its state and the address of its video.`,
    final: true,
    fault: 'machine',
  }),
  VID_KEY_MISSING: (f: { problem: string }) => ({
    message: `No API key was given: ${f.problem}.`,
    hint: 'Type it when asked, or pipe it, for example "vid auth login --api-key < key.txt".',
    fault: 'caller',
  }),
  VID_KEY_ARGUMENT: (_: object) => ({
    message:
      'An API key must not be an argument: other programs on this machine can read arguments, and shells keep them.',
    hint: 'Revoke the key if others use this machine; then type it when "vid auth login --api-key" asks, or pipe it on stdin.',
    fault: 'caller',
  }),
} satisfies ErrorTable
