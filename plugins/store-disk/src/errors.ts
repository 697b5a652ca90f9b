import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of the store on disk. */
export const storeErrors = {
  VID_STORE_FOLDER: (f: { root: string; reason: string }) => ({
    message: `The cache folder ${f.root} cannot be used: ${f.reason}.`,
    hint: 'Check that the folder is writable and has space.',
    fault: 'machine',
  }),
  VID_STORE_KEY: (f: { key: string }) => ({
    message: `"${f.key}" is not a valid key for a store.`,
    hint: 'Use names of letters, digits, ".", "_" and "-" that do not begin with a dot, joined by slashes.',
    fault: 'render',
  }),
} satisfies ErrorTable

export const fail = defineErrors(storeErrors)
