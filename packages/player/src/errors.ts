import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of showing a composition in a player. */
export const playerErrors = {
  VID_PLAYER_LOAD: (f: { src: string; reason: string }) => ({
    message: `${f.src} cannot be played: ${f.reason}`,
    hint: 'check the address; a composition of another site must be served by vid preview or vid publish, or allow other sites to read it (CORS)',
    fault: 'caller',
  }),
  VID_PLAYER_NOT_READY: (f: { src: string; reason: string }) => ({
    message: `${f.src} did not become ready: ${f.reason}`,
    hint: 'check that what it waits for can be loaded, and that the promises it registered settle',
    fault: 'render',
  }),
  VID_PLAYER_NO_LENGTH: (f: { src: string }) => ({
    message: `${f.src} has no length`,
    hint: 'add data-duration, in seconds, to its root',
    fault: 'caller',
  }),
  VID_PLAYER_SCRIPT: (f: { src: string; reason: string }) => ({
    message: `${f.src} failed while it was played: ${f.reason}`,
    hint: 'look at the errors of its scripts',
    fault: 'render',
  }),
  VID_PLAYER_VARIABLES: (f: { reason: string }) => ({
    message: `the attribute "variables" is not a JSON object: ${f.reason}`,
    hint: `write it as variables='{"title":"Hello"}'; where a framework makes "[object Object]" of an object, give it JSON.stringify(values)`,
    fault: 'caller',
  }),
} satisfies ErrorTable

/** An error of showing a composition. */
export const playerFailure = defineErrors(playerErrors)
