import { defineErrors, type ErrorTable } from '@vid/protocol'

const CHOOSE_CACHE = 'Set VID_CACHE_DIR to a folder of your own that other users cannot write to.'

/** Errors of serving, fetching and caching the files of a project; the codes are stable. */
export const assetErrors = {
  VID_CACHE_DIR_UNUSABLE: (facts: { path: string; reason: string }) => ({
    message: `The cache folder "${facts.path}" cannot be used: ${facts.reason}.`,
    hint: CHOOSE_CACHE,
    fault: 'caller',
  }),
  VID_CACHE_DIR_UNSAFE: (facts: { path: string; reason: string }) => ({
    message: `The cache folder "${facts.path}" is not safe to run programs from: ${facts.reason}.`,
    hint: CHOOSE_CACHE,
    fault: 'caller',
  }),
  VID_ASSET_ROOT_MISSING: (facts: { path: string; reason: string }) => ({
    message: `The project folder "${facts.path}" cannot be served: ${facts.reason}.`,
    hint: 'Give the folder that holds the composition.',
    fault: 'caller',
  }),
  VID_REMOTE_FAILED: (facts: { url: string; reason: string }) => ({
    message: `${facts.url} could not be fetched: ${facts.reason}.`,
    hint: 'Put the file into the project and refer to it by a relative path; list hosts at private addresses in the option privateHosts of the capture plugin.',
    fault: 'render',
  }),
  VID_NETWORK_REFUSED: (facts: { url: string; network: 'none' | 'declared' }) => ({
    message: `${facts.url} was not fetched, since network is "${facts.network}".`,
    hint: 'Put the file into the project; with network "declared", write its full address into a text file or a variable of the project; "public" allows every public address.',
    fault: 'render',
  }),
} satisfies ErrorTable

/** Makes the error of one code from its facts. */
export const assetError = defineErrors(assetErrors)
