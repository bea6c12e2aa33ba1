"""All addresses for WebSockets; those of games end with one for everything else."""

from games.chouette.live.sockets import websocket_urlpatterns as of_chouettes
from games.live.routing import websocket_urlpatterns as of_games
from tournaments.live.sockets import websocket_urlpatterns as of_tournaments

__all__ = ["websocket_urlpatterns"]

websocket_urlpatterns = [*of_chouettes, *of_tournaments, *of_games]
