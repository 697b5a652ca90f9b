import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of this target; errors of the client and of the server have their own codes. */
export const targetCloudErrors = {
  VID_API_SIZE: (f: { size: string; problem: string }) => ({
    message: `The hosted API renders pictures whose shorter side has 1080 pixels, or 2160 for mp4; this picture has ${f.size}: ${f.problem}.`,
    hint: 'Set resolution: "1080p" or "4k" in the options of @vid/target-cloud to have it scaled, or give --resolution such a size in the shape of the composition.',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(targetCloudErrors)
