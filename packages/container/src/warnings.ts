import { defineWarnings, type WarningTable } from '@vid/kernel'

/** Warnings of rendering in a container. */
export const containerWarnings = {
  VID_CONTAINER_BUILDING: (f: { image: string }) => ({
    message: `the image ${f.image} is not there yet and is built now, which takes some minutes and happens once`,
    hint: 'build it beforehand with "vid container build", which shows each step',
  }),
} satisfies WarningTable

/** Makes the warnings of rendering in a container. */
export const containerWarning = defineWarnings(containerWarnings)
