import type { ErrorTable } from '@vid/kernel'

/** Errors of the commands. */
export const commandTexts = {
  VID_RENDER_LEFT: (f: { renderId: string }) => ({
    message: `nobody waits here for the render ${f.renderId} any more; it goes on at the API`,
    hint: `"vid cloud get ${f.renderId}" shows it, and where its video is`,
    final: true,
    fault: 'machine',
  }),
  VID_KEY_MISSING: (f: { problem: string }) => ({
    message: `no API key was given: ${f.problem}`,
    hint: 'type it when asked, or pipe it, such as: vid auth login --api-key < key.txt',
    fault: 'caller',
  }),
  VID_KEY_ARGUMENT: (_: object) => ({
    message: 'an API key is never an argument: other programs of this machine can read those, and shells keep them',
    hint: 'revoke the key if others use this machine; then type it when "vid auth login --api-key" asks, or pipe it on stdin',
    fault: 'caller',
  }),
} satisfies ErrorTable
