export default { render: { quality: 'draft', segmentFrames: 20 } }
