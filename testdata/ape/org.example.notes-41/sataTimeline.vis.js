var groups = new vis.DataSet();
groups.add({id: 0, content: "SATA Action"});
var items = new vis.DataSet([
{start: new Date(1519682577280), title: "Mon@41", group: 0, screenURL: "step-41.png", id: 40, content: "START", rect: null},
{start: new Date(1519682579150), title: "Mon@42", group: 0, screenURL: "step-42.png", id: 41, content: "CLICK", rect: [0,400,1080,600]},
{start: new Date(1519682579898), title: "Mon@43", group: 0, screenURL: "step-43.png", id: 42, content: "SCROLL_TOP_DOWN", rect: [0,0,1080,1920]},
{start: new Date(1519682580515), title: "Mon@44", group: 0, screenURL: "step-44.png", id: 43, content: "BACK", rect: null},
]);
