import { access, constants } from 'node:fs/promises'
import { describeCause } from '@vid/protocol'
import { withinServed } from '@vid/system'
import type { FfmpegTools } from '../tools/find.ts'
import { QUIET, runProcess } from '../tools/process.ts'

/** How frames reach a hardware encoder. */
export interface HardwareKind {
  /** Options before the input. */
  readonly device: readonly string[]
  /** Filters after all others. */
  readonly upload: readonly string[]
}

const RENDER_NODE = '/dev/dri/renderD128'
const VAAPI: HardwareKind = {
  device: ['-vaapi_device', RENDER_NODE],
  upload: ['format=nv12', 'hwupload'],
}
const PLAIN: HardwareKind = { device: [], upload: [] }

/** Hardware H.264 encoders by ffmpeg's names, in the order in which they are tried. */
export const hardwareKinds: Readonly<Record<string, HardwareKind>> = {
  h264_nvenc: PLAIN,
  h264_qsv: { device: [], upload: ['format=nv12'] },
  h264_vaapi: VAAPI,
  h264_videotoolbox: PLAIN,
}

/** A hardware encoder that works on this machine, or why each of them does not. */
export type HardwareFound =
  | { readonly encoder: string; readonly tried?: undefined }
  | { readonly encoder?: undefined; readonly tried: readonly { name: string; reason: string }[] }

/** Served time of a trial: a driver may hang. */
const TRIAL_MS = 20_000
/** Some encoders refuse smaller pictures. */
const TRIAL = 'testsrc=s=320x240:r=30:d=0.2'

/** Encodes a few frames; returns why that failed, or undefined when it worked. */
const failureOf = async (
  name: string,
  { device, upload }: HardwareKind,
  { ffmpeg }: Pick<FfmpegTools, 'ffmpeg'>,
  signal: AbortSignal,
): Promise<string | undefined> => {
  const node = device.find((argument) => argument.startsWith('/'))
  const canOpen =
    !node ||
    (await access(node, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    ))
  if (!canOpen) return `${node} does not exist or cannot be opened`
  const filters = ['format=yuv420p', ...upload].join(',')
  const args = [...QUIET, '-nostdin', ...device, '-f', 'lavfi', '-i', TRIAL, '-vf', filters]
  try {
    const encode = (either: AbortSignal) =>
      runProcess(ffmpeg, [...args, '-c:v', name, '-f', 'framemd5', '-'], either, { strict: true })
    const hashes = await withinServed(TRIAL_MS, encode, { signal })
    return /^0,/m.test(hashes) ? undefined : 'it encoded no picture'
  } catch (cause) {
    signal.throwIfAborted()
    return describeCause(cause)
  }
}

/** Finds a hardware encoder that works on this machine, by encoding a few frames with each. */
export const findHardware = async (
  tools: Pick<FfmpegTools, 'ffmpeg'>,
  signal: AbortSignal,
  kinds: Readonly<Record<string, HardwareKind>> = hardwareKinds,
): Promise<HardwareFound> => {
  const encoderList = await runProcess(tools.ffmpeg, ['-hide_banner', '-v', 'error', '-encoders'], signal)
  const attempts = []
  for (const [name, kind] of Object.entries(kinds)) {
    const reason = new RegExp(` ${name} `).test(encoderList)
      ? await failureOf(name, kind, tools, signal)
      : 'this ffmpeg does not have it'
    if (reason === undefined) return { encoder: name }
    attempts.push({ name, reason })
  }
  return { tried: attempts }
}
