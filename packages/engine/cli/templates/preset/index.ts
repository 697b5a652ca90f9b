import { definePreset } from '@vid/config'

/** Render settings under one name; plugins of the standard preset stay. */
export default () =>
  definePreset({
    name: 'template',
    render: { quality: 'high', fps: 60 },
  })
