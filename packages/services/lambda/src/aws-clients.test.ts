import { expect, onTestFinished, test, vi } from 'vitest'
import { openCloudFormation, openLogs, openStepFunctions } from './aws-clients.ts'

test('clients are made without the notice of their library about old versions of Node', async () => {
  const warned = vi.spyOn(process, 'emitWarning')
  // The library says it to old versions alone, and once in a process.
  vi.spyOn(process, 'version', 'get').mockReturnValue('v20.19.0')
  onTestFinished(() => void vi.restoreAllMocks())
  for (const open of [openStepFunctions, openCloudFormation, openLogs])
    (await open({ region: 'eu-central-1' })).destroy()
  expect(warned).not.toHaveBeenCalled()
})
