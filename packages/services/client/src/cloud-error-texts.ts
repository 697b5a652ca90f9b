import type { ErrorTable } from '@vid/protocol'

/** Errors of the client of the hosted API; errors reported by the server keep their own codes. */
export const cloudTexts = {
  VID_API_ADDRESS: (f: { url: string; problem: string }) => ({
    message: `The address of the hosted API, ${f.url}, cannot be used: ${f.problem}.`,
    hint: 'Set HOST_API_URL to an address such as https://api.example.com, or to that of your "vid cloud serve".',
    fault: 'caller',
  }),
  VID_API_TOKEN_UNFIT: (_: object) => ({
    message: 'The credential for the hosted API has characters that a header cannot contain.',
    hint: 'Give the key as you received it, without spaces or line breaks.',
    fault: 'caller',
  }),
  VID_API_UNREACHABLE: (f: { url: string; reason: string }) => ({
    message: `The hosted API at ${f.url} cannot be reached: ${f.reason}.`,
    hint: 'Set HOST_API_URL to its address, or start a server with "vid cloud serve"; check the network in between.',
    fault: 'machine',
  }),
  VID_API_CUT: (f: { url: string; reason: string }) => ({
    message: `The connection to the hosted API at ${f.url} was cut: ${f.reason}.`,
    hint: 'Check the network and whether the server still runs, then try again.',
    fault: 'machine',
  }),
  VID_API_REPLY: (f: { url: string; reason: string }) => ({
    message: `${f.url} did not answer like a hosted API of this version: ${f.reason}.`,
    hint: 'Check HOST_API_URL, and that no proxy in between changes replies.',
    fault: 'machine',
  }),
  VID_API_DAMAGED: (f: { expected: string; found: string }) => ({
    message: `The downloaded video has the SHA-256 ${f.found}, not ${f.expected}.`,
    hint: 'Fetch it again; if it happens again, check the network and the disks on both sides.',
    fault: 'machine',
  }),
  VID_API_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `The video cannot be written to ${f.path}: ${f.reason}.`,
    hint: 'Check that the folder exists, is writable and has free space.',
    fault: 'machine',
  }),
  VID_API_REQUEST: (f: { problems: readonly string[] }) => ({
    message: `The hosted API refuses these values: ${f.problems.join(' | ')}.`,
    hint: 'Correct the values, or leave them out.',
    fault: 'caller',
  }),
  VID_API_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `The entry file ${f.entry} is not among the files for the hosted API.`,
    hint: 'Include its folder with a line such as !dist in .vidignore, or render that folder itself.',
    fault: 'caller',
  }),
  VID_API_WAIT_OVER: (f: { renderId: string; minutes: number; status: string }) => ({
    message: `The render ${f.renderId} has not ended in ${f.minutes} min; it is ${f.status}.`,
    hint: `It continues: "vid cloud get ${f.renderId}" shows its state and the address of its video.`,
    fault: 'machine',
  }),
  VID_API_NOT_COMPLETED: (f: { renderId: string; status: string }) => ({
    message: `The render ${f.renderId} has no video to fetch; it is ${f.status}.`,
    hint: `"vid cloud get ${f.renderId}" shows how far it is.`,
    fault: 'caller',
  }),
  VID_API_RENDER_FAILED: (f: { renderId: string; reason: string }) => ({
    message: `The render ${f.renderId} failed: ${f.reason}.`,
    hint: `Run it locally with "vid render" for details, or give the operator the id ${f.renderId}.`,
    fault: 'render',
  }),
  VID_API_PAGES: (f: { url: string; problem: string }) => ({
    message: `The list of renders at ${f.url} does not end: ${f.problem}.`,
    hint: 'Fetch single pages with --limit and --token.',
    fault: 'machine',
  }),
  VID_CALLBACK_SIGNATURE: (f: { problem: string }) => ({
    message: `The webhook is not from the hosted API: ${f.problem}.`,
    hint: 'Check that the secret is that of the account, and pass the body exactly as received, without parsing and serializing it again.',
    fault: 'caller',
  }),
  VID_CALLBACK_TIME: (f: { ageMs: number; toleranceMs: number }) => ({
    message: `The signature time of the webhook differs from now by ${Math.round(f.ageMs / 1000)} s; at most ${f.toleranceMs / 1000} s are allowed.`,
    hint: 'Set the clock of this machine; otherwise somebody replayed an old webhook.',
    fault: 'caller',
  }),
  VID_CALLBACK_BODY: (f: { problem: string }) => ({
    message: `The body of the webhook cannot be read: ${f.problem}.`,
    hint: 'Use the version of @vid/client that matches the server.',
    fault: 'machine',
  }),
} satisfies ErrorTable
