import { defineErrors, type ErrorTable } from '@vid/kernel'

/** Errors of rendering on AWS. */
export const lambdaErrors = {
  VID_LAMBDA_CONFIG: (f: { field: string; problem: string }) => ({
    message: `${f.field} cannot be used: ${f.problem}`,
    hint: `give another ${f.field}`,
    fault: 'caller',
  }),
} satisfies ErrorTable

export const fail = defineErrors(lambdaErrors)
