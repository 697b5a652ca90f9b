import { defineWarnings, type WarningTable } from '@vid/protocol'
import { ALLOW_CONFINEMENT } from './errors.ts'

/** Warnings about sources and encoders that the render does without; the codes are stable. */
export const ffmpegWarnings = {
  VID_SOUND_LEFT_OUT: (f: { label: string; reason: string }) => ({
    message: `The sound of ${f.label} is skipped: ${f.reason}.`,
    hint: 'Check that the file plays, or mute the element; the other sounds are mixed.',
    severity: 'error',
  }),
  VID_SOUND_DAMAGED: (f: { label: string; reason: string }) => ({
    message: `The sound of ${f.label} is damaged; what could be decoded was mixed: ${f.reason}.`,
    hint: 'Export the file again from its original.',
    severity: 'error',
  }),
  VID_LOUDNESS_UNMEASURED: (f: { target: number }) => ({
    message: `The sound is too quiet or too short to measure, so it is not brought to ${f.target} LUFS.`,
    hint: 'Sound counts above -70 LUFS, and from 0.4 seconds on. Check that the sources are heard, or use --loudness off.',
  }),
  VID_LOUDNESS_MISSED: (f: { target: number; reached: number }) => ({
    message: `The sound has ${f.reached} LUFS instead of ${f.target} LUFS, because its peaks stand out too far.`,
    hint: 'Choose a lower --loudness, or even out the levels of the sources; peaks stay below -1 dB.',
  }),
  VID_MEDIA_SANDBOX_OFF: (f: { reason: string }) => ({
    message: `Sources are read outside a sandbox: ${f.reason}.`,
    hint: `${ALLOW_CONFINEMENT} VID_SANDBOX=off accepts this without a warning, VID_SANDBOX=require refuses it.`,
  }),
  VID_GPU_UNAVAILABLE: (f: { tried: readonly { name: string; reason: string }[] }) => ({
    message: `No hardware encoder is used: ${f.tried.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}.`,
    hint: 'The CPU encodes instead. Check the driver and the rights to its device, or leave --gpu out.',
  }),
  VID_HDR_TO_SDR: (f: { what: string; formats: readonly string[] }) => ({
    message: `${f.what}, but the ${f.formats.join(' and ')} ${f.formats.length > 1 ? 'are' : 'is'} SDR.`,
    hint: 'Render one output only, in a format that supports HDR; or pass --sdr to make SDR without this warning.',
  }),
  VID_MEDIA_UNUSABLE: (f: { label: string; reason: string }) => ({
    message: `${f.label} is skipped: ${f.reason}.`,
    hint: 'Check that the path is relative to the project folder and that the file plays; --strict makes this an error.',
    severity: 'error',
  }),
} satisfies WarningTable

/** Makes the warnings of this package. */
export const ffmpegWarning = defineWarnings(ffmpegWarnings)
