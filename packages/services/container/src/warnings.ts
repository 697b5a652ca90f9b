import { defineWarnings, type WarningTable } from '@vid/protocol'

/** Warnings of rendering in a container. */
export const containerWarnings = {
  VID_CONTAINER_BUILDING: (f: { image: string }) => ({
    message: `The image ${f.image} does not exist yet; vid builds it now, once, which takes some minutes.`,
    hint: 'Build it beforehand with "vid container build", which shows each step.',
  }),
} satisfies WarningTable

/** Makes the warnings of rendering in a container. */
export const containerWarning = defineWarnings(containerWarnings)
