import { defineErrors, type ErrorTable } from '@vid/protocol'

/** Errors of showing a composition in a player. */
export const playerErrors = {
  VID_PLAYER_LOAD: (f: { src: string; reason: string }) => ({
    message: `${f.src} cannot be played: ${f.reason}.`,
    hint: 'Check the address; a composition of another site must be served by vid preview or vid publish, or allow other sites to read it (CORS).',
    fault: 'caller',
  }),
  VID_PLAYER_VIDEO: (f: { src: string; reason: string }) => ({
    message: `The video ${f.src} cannot be played: ${f.reason}.`,
    hint: 'Check the address, that its server lets pages of this site read it (CORS), and that the browser decodes its codec.',
    fault: 'caller',
  }),
  VID_PLAYER_INCOMPLETE: (f: { src: string }) => ({
    message: `The video ${f.src} ends early: its render failed or was stopped.`,
    hint: 'What was rendered plays. Look at the error of the render, and render it again.',
    fault: 'render',
  }),
  VID_PLAYER_NOT_READY: (f: { src: string; reason: string }) => ({
    message: `${f.src} did not become ready: ${f.reason}.`,
    hint: 'Check that its resources load and that the promises that it registered settle.',
    fault: 'render',
  }),
  VID_PLAYER_NO_LENGTH: (f: { src: string }) => ({
    message: `${f.src} has no length.`,
    hint: 'Add data-duration, in seconds, to its root.',
    fault: 'caller',
  }),
  VID_PLAYER_SCRIPT: (f: { src: string; reason: string }) => ({
    message: `${f.src} failed while it was played: ${f.reason}.`,
    hint: 'Look at the errors of its scripts.',
    fault: 'render',
  }),
  VID_PLAYER_VARIABLES: (f: { reason: string }) => ({
    message: `The attribute "variables" is not a JSON object: ${f.reason}.`,
    hint: `Write it as variables='{"title":"Hello"}'; if a framework turns an object into "[object Object]", pass JSON.stringify(values).`,
    fault: 'caller',
  }),
} satisfies ErrorTable

/** An error of showing a composition. */
export const playerFailure = defineErrors(playerErrors)
