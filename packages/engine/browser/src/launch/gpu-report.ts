import { describeCause, Type, Value } from '@vid/protocol'
import type { CdpPort } from '../driver/cdp.ts'
import { withDeadline } from '../driver/deadline.ts'
import type { GpuBackend } from './gpu-backend.ts'

/** A browser's report about its GPU. */
export interface GpuReport {
  /** Vendor, renderer and driver, in one line. */
  readonly name: string
  /** Id of the drawing process; a new process has lost the earlier pictures. */
  readonly process: number
}

const InfoSchema = Type.Object({
  gpu: Type.Object({
    devices: Type.Array(
      Type.Object({
        vendorString: Type.String(),
        deviceString: Type.String(),
        driverVendor: Type.String(),
        driverVersion: Type.String(),
      }),
    ),
    auxAttributes: Type.Object({
      glVendor: Type.String(),
      glRenderer: Type.String(),
      skiaBackendType: Type.Optional(Type.String()),
    }),
    featureStatus: Type.Object({ gpu_compositing: Type.String(), rasterization: Type.String() }),
  }),
})

const ProcessesSchema = Type.Object({
  processInfo: Type.Array(Type.Object({ type: Type.String(), id: Type.Integer() })),
})

/** Names of software renderers. */
const SOFTWARE = /swiftshader|swangle|llvmpipe|lavapipe|softpipe|swrast|software|basic render/i

/** Time limit in milliseconds, since a browser may wait for a hung driver. */
const ANSWER_MS = 20_000

const ask = ({ send }: Pick<CdpPort, 'send'>, method: string): Promise<unknown> =>
  withDeadline(send(method), ANSWER_MS, async () => new Error('the browser does not answer'))

/** The drawing process of a browser; undefined if there is none. Rejects if the browser does not answer. */
export const gpuProcess = async (port: Pick<CdpPort, 'send'>): Promise<number | undefined> => {
  const answer = await ask(port, 'SystemInfo.getProcessInfo')
  if (!Value.Check(ProcessesSchema, answer)) return undefined
  return answer.processInfo.find(({ type }) => type === 'GPU')?.id
}

/** Reads which GPU a browser draws on, or why it draws on none. */
export const readGpu = async (
  port: Pick<CdpPort, 'send'> | undefined,
  backend: GpuBackend,
): Promise<GpuReport | { readonly reason: string }> => {
  if (!port) return { reason: 'the driver of this browser cannot ask for the GPU' }
  try {
    const info = await ask(port, 'SystemInfo.getInfo')
    const process = await gpuProcess(port)
    if (!Value.Check(InfoSchema, info)) return { reason: 'the browser does not name its GPU' }
    const { devices, auxAttributes, featureStatus } = info.gpu
    const { glVendor, glRenderer, skiaBackendType = 'None' } = auxAttributes
    const { driverVendor = '', driverVersion = '' } = devices[0] ?? {}
    const driver = [driverVendor, driverVersion].filter(Boolean).join(' ')
    if (glRenderer === '' || process === undefined) return { reason: 'the browser found no GPU behind it' }
    if (backend !== 'swiftshader' && SOFTWARE.test(`${glRenderer} ${driver}`))
      return { reason: `its renderer ${glRenderer} is software` }
    const isDrawing = skiaBackendType !== 'None' && featureStatus.gpu_compositing.startsWith('enabled')
    if (!isDrawing || !featureStatus.rasterization.startsWith('enabled'))
      return { reason: `the browser does not draw pages with ${glRenderer}` }
    return { name: `${glVendor}, ${glRenderer}, driver ${driver || 'unknown'}, ${skiaBackendType}`, process }
  } catch (cause) {
    return { reason: describeCause(cause) }
  }
}
