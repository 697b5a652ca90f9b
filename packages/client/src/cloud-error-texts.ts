import type { ErrorTable } from '@vid/kernel'

/** Errors of the client of the hosted API; those that the server reports keep their own codes. */
export const cloudTexts = {
  VID_API_ADDRESS: (f: { url: string; problem: string }) => ({
    message: `the address of the hosted API, ${f.url}, cannot be used: ${f.problem}`,
    hint: 'set HOST_API_URL to an address such as https://api.example.com, or to that of your own "vid cloud serve"',
    fault: 'caller',
  }),
  VID_API_TOKEN_UNFIT: (_: object) => ({
    message: 'the credential for the hosted API has characters that a header cannot carry',
    hint: 'give the key as you received it, without spaces or line breaks',
    fault: 'caller',
  }),
  VID_API_UNREACHABLE: (f: { url: string; reason: string }) => ({
    message: `the hosted API at ${f.url} cannot be reached: ${f.reason}`,
    hint: 'set HOST_API_URL to its address, or start a server of your own with "vid cloud serve"; check the network between',
    fault: 'machine',
  }),
  VID_API_CUT: (f: { url: string; reason: string }) => ({
    message: `the connection to the hosted API at ${f.url} was cut: ${f.reason}`,
    hint: 'check the network and whether the server still runs, then try again',
    fault: 'machine',
  }),
  VID_API_REPLY: (f: { url: string; reason: string }) => ({
    message: `what answers at ${f.url} is no hosted API of this version: ${f.reason}`,
    hint: 'check HOST_API_URL, and that a proxy between passes replies on unchanged',
    fault: 'machine',
  }),
  VID_API_DAMAGED: (f: { expected: string; found: string }) => ({
    message: `the video that arrived has the SHA-256 ${f.found}, not ${f.expected}`,
    hint: 'fetch it again; if it happens again, look at the network and the disks of both sides',
    fault: 'machine',
  }),
  VID_API_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `the video cannot be written to ${f.path}: ${f.reason}`,
    hint: 'check that the folder exists, is writable and has free space',
    fault: 'machine',
  }),
  VID_API_REQUEST: (f: { problems: readonly string[] }) => ({
    message: `the hosted API does not take this: ${f.problems.join(' | ')}`,
    hint: 'correct the values, or leave them out',
    fault: 'caller',
  }),
  VID_API_ENTRY_LEFT_OUT: (f: { entry: string }) => ({
    message: `the entry file ${f.entry} is not among the files that are sent to the hosted API`,
    hint: 'take its folder in with a line such as !dist in .vidignore, or render that folder itself',
    fault: 'caller',
  }),
  VID_API_WAIT_OVER: (f: { renderId: string; minutes: number; status: string }) => ({
    message: `the render ${f.renderId} has not ended in ${f.minutes} min; it is ${f.status}`,
    hint: `it goes on: "vid cloud get ${f.renderId}" shows it, and where its video is`,
    fault: 'machine',
  }),
  VID_API_NOT_COMPLETED: (f: { renderId: string; status: string }) => ({
    message: `the render ${f.renderId} has no video to fetch; it is ${f.status}`,
    hint: `"vid cloud get ${f.renderId}" shows how far it is`,
    fault: 'caller',
  }),
  VID_API_RENDER_FAILED: (f: { renderId: string; reason: string }) => ({
    message: `the render ${f.renderId} failed: ${f.reason}`,
    hint: `render it on this machine with "vid render" to see more, or ask who runs the server, by ${f.renderId}`,
    fault: 'render',
  }),
  VID_API_PAGES: (f: { url: string; problem: string }) => ({
    message: `the list of renders at ${f.url} does not end: ${f.problem}`,
    hint: 'fetch single pages with --limit and --token',
    fault: 'machine',
  }),
  VID_CALLBACK_SIGNATURE: (f: { problem: string }) => ({
    message: `the webhook is not from the hosted API: ${f.problem}`,
    hint: 'check that the secret is that of the account, and that the body is given as it was received, not parsed and written again',
    fault: 'caller',
  }),
  VID_CALLBACK_TIME: (f: { ageMs: number; toleranceMs: number }) => ({
    message: `the webhook was signed ${Math.round(f.ageMs / 1000)} s from now; at most ${f.toleranceMs / 1000} s are allowed`,
    hint: 'set the clock of this machine; otherwise somebody has sent an old webhook again',
    fault: 'caller',
  }),
  VID_CALLBACK_BODY: (f: { problem: string }) => ({
    message: `the body of the webhook is not one that is known: ${f.problem}`,
    hint: 'use the version of @vid/client that fits the server',
    fault: 'machine',
  }),
} satisfies ErrorTable
