import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of this plugin, besides those of `@vid/s3`: code → message and hint built from facts. */
export const deliverS3Errors = {
  VID_S3_KEY: (f: { key: string; problem: string }) => ({
    message: `The key "${f.key}" cannot be used: ${f.problem}.`,
    hint: 'Use a form such as "videos/{date}/{name}": letters, digits, ! - _ . * \' ( ) and slashes around {name}, {stem}, {format} and {date}.',
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(deliverS3Errors)
