import type { ErrorTable } from '@vid/protocol'

/** Errors of the client of a render server; errors reported by the server keep their own codes. */
export const producerTexts = {
  VID_PRODUCER_ADDRESS: (f: { url: string; problem: string }) => ({
    message: `The address of the render server, ${f.url}, cannot be used: ${f.problem}.`,
    hint: 'Give an address such as https://render.example.com or http://127.0.0.1:9847.',
    fault: 'caller',
  }),
  VID_PRODUCER_TOKEN_UNFIT: (_: object) => ({
    message: 'The token for the render server has characters that a header cannot contain.',
    hint: 'Give the token exactly as the server has it, without spaces or line breaks.',
    fault: 'caller',
  }),
  VID_PRODUCER_UNREACHABLE: (f: { url: string; reason: string }) => ({
    message: `The render server at ${f.url} cannot be reached: ${f.reason}.`,
    hint: 'Check that it runs (vid producer), its address, and the network between.',
    fault: 'machine',
  }),
  VID_PRODUCER_CUT: (f: { url: string; reason: string }) => ({
    message: `The connection to the render server at ${f.url} was cut: ${f.reason}.`,
    hint: 'Check the network and whether the server still runs, then try again.',
    fault: 'machine',
  }),
  VID_PRODUCER_REPLY: (f: { url: string; reason: string }) => ({
    message: `${f.url} did not answer like a render server of this version: ${f.reason}.`,
    hint: 'Check the address, and that no proxy in between changes replies; run the same version on both sides.',
    fault: 'machine',
  }),
  VID_PRODUCER_LOST: (f: { url: string; times: number }) => ({
    message: `The render server at ${f.url} has lost the request ${f.times} times.`,
    hint: 'Start it with --state, so that accepted requests outlive its process, and find out why it ends.',
    fault: 'machine',
  }),
  VID_PRODUCER_CANCELLED: (f: { requestId: string }) => ({
    message: `The request "${f.requestId}" was cancelled on the render server.`,
    hint: 'Somebody else ended it: render again.',
    fault: 'machine',
  }),
  VID_PRODUCER_OUTPUT_ELSEWHERE: (f: { url: string }) => ({
    message: `The render server at ${f.url} did not keep this video.`,
    hint: 'The deliveries of its config send results elsewhere: add file() of @vid/deliver-file.',
    fault: 'machine',
  }),
  VID_PRODUCER_DAMAGED: (f: { expected: string; found: string }) => ({
    message: `The file from the render server has the SHA-256 ${f.found}, not ${f.expected}.`,
    hint: 'Render again; if it happens again, check the network and the disks on both sides.',
    fault: 'machine',
  }),
  VID_PRODUCER_UNWRITABLE: (f: { path: string; reason: string }) => ({
    message: `The file from the render server cannot be written to ${f.path}: ${f.reason}.`,
    hint: 'Check that the folder exists, is writable and has free space.',
    fault: 'machine',
  }),
} satisfies ErrorTable
