import { defineErrors, type ErrorTable } from '@vid/protocol'
import { cloudTexts } from './cloud-error-texts.ts'
import { clientCommandTexts } from './command-error-texts.ts'
import { credentialTexts } from './credential-error-texts.ts'
import { loginTexts } from './login-error-texts.ts'
import { producerTexts } from './producer-error-texts.ts'

/** Errors of the clients; errors reported by a server keep their own codes. */
export const clientErrors = {
  ...producerTexts,
  ...cloudTexts,
  ...clientCommandTexts,
  ...credentialTexts,
  ...loginTexts,
} satisfies ErrorTable

/** Creates the errors of this package. */
export const fail = defineErrors(clientErrors)
