var utg = 
{
 "nodes": [
  {
   "id": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
   "state_str": "5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f",
   "package": "org.example.notes",
   "activity": ".Launcher",
   "label": ".Launcher"
  },
  {
   "id": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
   "state_str": "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
   "package": "org.example.notes",
   "activity": ".MainActivity",
   "label": ".MainActivity"
  }
 ],
 "edges": [],
 "num_nodes": 2
}